import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { Wallet } from 'ethers'
import { knownMethod } from '../upstreams/upstream-request.js'
import { CallLedger } from './call-ledger.engine.js'
import type { CallLimits } from './call-limits.js'
import { callRulesOf } from './call-rules.js'

const GET_LOGS = knownMethod('eth_getLogs')
const BALANCE = knownMethod('eth_getBalance')
const SEND = knownMethod('eth_sendRawTransaction')
const noCaller = () => undefined
const NAMES = [GET_LOGS, BALANCE, SEND].map(({ name }) => name)

describe(CallLedger, () => {
  it('holds a method to its limit, whoever calls, and no other', () => {
    const { calls } = setUp({ methods: [{ method: 'eth_getLogs', perSecond: 2 }] })
    expect([calls(GET_LOGS), calls(GET_LOGS, 'b'), calls(GET_LOGS, 'c')]).toEqual([undefined, undefined, 'method'])
    expect(calls(BALANCE)).toBeUndefined()
  })

  it('holds each address to the limit, a /64 of IPv6 as one', () => {
    const { calls, clock } = setUp({ perAddress: 1 })
    expect([calls(BALANCE, '192.0.2.1'), calls(GET_LOGS, '192.0.2.1'), calls(BALANCE, '192.0.2.2')]).toEqual([
      undefined,
      'address',
      undefined,
    ])
    expect([calls(BALANCE, '2001:db8::1'), calls(BALANCE, '2001:db8::ffff')]).toEqual([undefined, 'address'])
    clock.advance(1_000)
    expect(calls(BALANCE, '192.0.2.1')).toBeUndefined()
  })

  it('asks for no address where addresses are not limited', () => {
    const { project } = setUp({ methods: [{ method: 'eth_getLogs', perSecond: 2 }] })
    const address = () => {
      throw new Error('asked')
    }
    expect(project.take({ method: GET_LOGS, params: [], address, caller: noCaller })).toBeUndefined()
  })

  it('holds each sender of transactions to the limit, and what nobody can read together', async () => {
    const { project } = setUp({ perSender: 2 })
    const [one, other] = await Promise.all(['11', '22'].map((digits) => signedBy(new Wallet(`0x${digits.repeat(32)}`))))
    const send = (raw: unknown) => project.take({ method: SEND, params: [raw], address: () => '', caller: noCaller })
    expect([send(one), send(one), send(other)]).toEqual([undefined, undefined, undefined])
    expect(send(one)).toMatchObject({ by: 'sender', key: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a', limit: 2, retryAfterMs: 30_000 })
    expect([send('0x00'), send('0x01'), send(7)].map((refusal) => refusal?.by)).toEqual([undefined, undefined, 'sender'])
    expect(project.take({ method: BALANCE, params: [], address: () => '', caller: noCaller })).toBeUndefined()
  })

  it('holds each caller of the identity provider to the limit, and nobody else', () => {
    const { project } = setUp({ perCaller: 1 })
    const take = (caller?: string) => project.take({ method: BALANCE, params: [], address: () => 'a', caller: () => caller })?.by
    expect([take('ada'), take('ada'), take('bob'), take(''), take('')]).toEqual([undefined, 'caller', undefined, undefined, 'caller'])
    expect([take(), take()]).toEqual([undefined, undefined])
  })

  it('counts a project once, whichever key leads to it, and every project by itself', () => {
    const { ledger, calls, rules } = setUp({ perAddress: 1 })
    expect(calls(BALANCE)).toBeUndefined()
    const call = { method: BALANCE, params: [], address: () => 'a', caller: noCaller }
    expect(ledger.of({ serial: 1, rules }).take(call)).toMatchObject({ by: 'address' })
    expect(ledger.of({ serial: 2, rules }).take(call)).toBeUndefined()
  })

  it('counts what other processes let through, of projects that are called here', () => {
    const { calls, ledger, rules, clock } = setUp({ perAddress: 5 })
    const other = new CallLedger(clock)
    for (let i = 0; i < 5; i++) other.of({ serial: 1, rules }).take({ method: BALANCE, params: [], address: () => 'a', caller: noCaller })
    const reported = other.takeUnreported(10)
    expect(reported).toEqual([['1 address', 'a', 5]])
    ledger.debit(reported)
    expect(calls(BALANCE, 'b')).toBeUndefined()
    ledger.debit(reported)
    expect(calls(BALANCE, 'a')).toBe('address')
  })

  it.each([
    [1, 10],
    [2, 10],
    [4, 50],
    [8, 1_000],
  ])(
    'lets a caller that keeps at %i processes with a limit of %i a second have a tenth more at most, beyond what comes at once',
    (processes, perAddress) => {
      const clock = new ManualClock()
      const ledgers = Array.from({ length: processes }, () => new CallLedger(clock))
      const rules = callRulesOf({ perAddress }, NAMES)
      if (!rules) throw new Error('nothing is limited')
      const call = { method: BALANCE, params: [], address: () => 'a', caller: noCaller }
      let admitted = 0
      for (let ms = 0; ms < 10_000; ms += 1) {
        for (const ledger of ledgers) if (!ledger.of({ serial: 1, rules }).take(call)) admitted++
        if (ms % 100 === 99) for (const ledger of ledgers) report(ledger, ledgers)
        clock.advance(1)
      }
      expect(admitted).toBeLessThanOrEqual(10 * perAddress * 1.1 + processes * perAddress)
      expect(admitted).toBeGreaterThanOrEqual(10 * perAddress * 0.9)
    },
  )

  it('keeps nothing of callers that have paused', () => {
    const { ledger, calls, clock } = setUp({ perAddress: 5 })
    for (let i = 0; i < 100; i++) calls(BALANCE, `192.0.2.${i}`)
    clock.advance(10_000)
    ledger.forgetPast()
    expect(ledger.size).toBe(0)
  })
})

function setUp(limits: CallLimits) {
  const clock = new ManualClock()
  const ledger = new CallLedger(clock)
  const rules = callRulesOf(limits, NAMES)
  if (!rules) throw new Error('nothing is limited')
  const project = ledger.of({ serial: 1, rules })
  const calls = (method: typeof GET_LOGS, address = 'a') =>
    project.take({ method, params: [], address: () => address, caller: noCaller })?.by
  return { clock, ledger, rules, project, calls }
}

function report(from: CallLedger, ledgers: readonly CallLedger[]): void {
  const reported = from.takeUnreported(2_000)
  for (const ledger of ledgers) if (ledger !== from) ledger.debit(reported)
}

function signedBy(wallet: Wallet): Promise<string> {
  return wallet.signTransaction({ to: wallet.address, nonce: 1, gasLimit: 21_000, chainId: 1, type: 0, gasPrice: 1 })
}
