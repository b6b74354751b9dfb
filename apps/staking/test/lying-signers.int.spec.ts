import type { SignerClient } from '../src/signers/signer.js'
import { ReconcilerHarness } from './reconciler-harness.js'

let harness: ReconcilerHarness
let honest: ReconcilerHarness['signers']['of']
beforeAll(async () => {
  harness = await ReconcilerHarness.open()
  honest = harness.signers.of.bind(harness.signers)
})
afterEach(() => {
  harness.signers.of = honest
})
afterAll(() => harness.close())

describe('a signer that lies', () => {
  it('does not hold a key that it does not list, whatever it reports: the validator is not ready', async () => {
    lie({ import: async () => {} })
    const key = await harness.create()
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({
      ready_at: null,
      signer_problem: expect.stringContaining('has not listed the key since it was sent'),
    })
    harness.signers.of = honest
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null })
  })

  it('does not have a fee address that it does not report afterwards', async () => {
    lie({ setFeeRecipient: async () => {} })
    const key = await harness.create()
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({
      ready_at: null,
      signer_problem: expect.stringContaining('accepted the fee address and reports another one'),
    })
    harness.signers.of = honest
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({ ready_at: expect.any(Date), signer_problem: null })
  })

  it('releases no key with an unreadable history, or with that of another chain', async () => {
    const key = await harness.create()
    await harness.pass()
    await harness.set(key, 'removed_at', new Date())
    const metadata = { interchange_format_version: '5', genesis_validators_root: `0x${'99'.repeat(32)}` }
    for (const [history, problem] of [
      ['[]', 'is not an object'],
      [JSON.stringify({ metadata, data: [] }), 'of another chain'],
    ] as const) {
      lie({ remove: async () => history })
      await harness.pass()
      expect(await harness.row(key)).toMatchObject({ released_at: null, signer_problem: expect.stringContaining(problem) })
    }
    harness.signers.of = honest
    await harness.pass()
    expect(await harness.row(key)).toMatchObject({ released_at: expect.any(Date), signer_problem: null })
  })

  it('cannot pass off the exit of another validator: ours is signed here instead', async () => {
    const [key, other] = [await harness.create(), await harness.create()]
    await harness.pass()
    for (const { depositCall } of [key, other]) await harness.deposit(depositCall)
    await harness.until(other, 'active_ongoing')
    await harness.until(key, 'active_ongoing')
    lie({ signExit: async (_, exit, network) => honest('dev', 'eu').signExit(other.pubkey, exit, network) })
    await harness.set(key, 'exit_requested_at', new Date())
    await harness.until(key, 'active_exiting')
    expect(await harness.row(other)).toMatchObject({ exit_epoch: null, beacon_status: 'active_ongoing' })
    const { rows } = await harness.pool.query('SELECT pubkey FROM signed_exit')
    expect(rows).toEqual([{ pubkey: key.pubkey }])
  })

  it('never causes two signers to sign with one key', async () => {
    expect(await harness.doubleSigners()).toEqual([])
  })
})

function lie(lies: Partial<SignerClient>): void {
  harness.signers.of = (chain, region) => {
    const signer = honest(chain, region)
    return new Proxy(signer, {
      get: (target, name) => {
        const member = Reflect.get(name in lies ? lies : target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }
}
