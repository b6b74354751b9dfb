import { eventually } from '@trestle/testing/eventually'
import { type FaultyStage, startFaultyStage } from './faulty-stage.js'
import { callRpc, resultOfRpc } from './json-rpc.js'

const SEND = 'eth_sendRawTransaction'
/** Of anvil's first account, for chain 1. */
const OF_ANOTHER_CHAIN =
  '0x02f86601800184773594008252089400000000000000000000000000000000000000000180c080a06924f63e1a372839480b9d797fd48ede855c6260ecdefbfdd878346ab47f82d6a055a0c4d23e9dbb1069af20382820c84eceb0232a8466c5fd9f09bd5cdda68719'

let stage: FaultyStage
beforeAll(async () => {
  stage = await startFaultyStage({ CALL_TIMEOUT_MS: '3000' })
})
afterAll(() => stage.stop())
beforeEach(() => {
  for (const upstream of stage.upstreams) upstream.forget()
})
afterEach(() => stage.heal())

describe('a transaction', () => {
  it('is sent to several nodes, once to each', async () => {
    const hash = await send(await stage.sign())
    await eventually(() => counts(SEND).every((count) => count === 1) || undefined, 'all are sent it')
    expect((await stage.mine()).transactions).toEqual([hash])
    expect(counts(SEND)).toEqual([1, 1, 1])
  })

  it('succeeds when one node accepts it', async () => {
    const [first, second] = stage.upstreams
    await first!.fail({ kind: 'reset' }, { methods: [SEND] })
    await second!.fail({ kind: 'null' }, { methods: [SEND] })
    const hash = await send(await stage.sign())
    expect((await stage.mine()).transactions).toEqual([hash])
    expect(counts(SEND)).toEqual([1, 1, 1])
  })

  it('succeeds when a node already has it', async () => {
    const signed = await stage.sign()
    const hash = await resultOfRpc(stage.anvils.nodes[0]!.url, SEND, signed)
    await stage.anvils.keep()
    expect(await send(signed)).toBe(hash)
    expect((await stage.mine()).transactions).toEqual([hash])
    // It has its place by now, and its nonce with it.
    expect(await send(signed)).toBe(hash)
  })

  it('succeeds when the node that accepted it never replies, and the others know it from there', async () => {
    const signed = await stage.sign()
    const [first, second, third] = stage.upstreams
    await first!.fail({ kind: 'hanging' }, { methods: [SEND] })
    for (const upstream of [second!, third!])
      await upstream.fail({ kind: 'error', code: -32_000, message: 'already known' }, { methods: [SEND] })
    const hash = await resultOfRpc<string>(stage.anvils.nodes[0]!.url, SEND, signed)
    expect(await send(signed)).toBe(hash)
    expect((await stage.mine()).transactions).toEqual([hash])
  })

  it('is not sent again when no node is known to have accepted it', async () => {
    for (const upstream of stage.upstreams) await upstream.fail({ kind: 'status', status: 502 }, { methods: [SEND] })
    expect(await callRpc(stage.url, SEND, await stage.sign())).toEqual({
      status: 504,
      error: { code: -32_002, message: 'no upstream has taken the transaction, but it may have been sent' },
    })
    expect(counts(SEND)).toEqual([1, 1, 1])
  })

  it('gets an error in time when no node replies', async () => {
    for (const upstream of stage.upstreams) await upstream.fail({ kind: 'hanging' }, { methods: [SEND] })
    const asked = callRpc(stage.url, SEND, await stage.sign())
    await eventually(() => counts(SEND).every((count) => count === 1) || undefined, 'all are sent it')
    stage.time.pass(3000)
    expect(await asked).toMatchObject({ status: 504, error: { code: -32_002 } })
    expect(counts(SEND)).toEqual([1, 1, 1])
  })
})

describe('the error of a node for a transaction is passed on unchanged', () => {
  it.each<[string, () => Promise<string>]>([
    ['its nonce was used', () => stage.sign({ from: stage.anvils.accounts[0], nonce: '0x0', value: '0x7' })],
    ['it pays less than the base fee', () => stage.sign({ from: stage.anvils.accounts[3], nonce: '0x0', maxFeePerGas: '0x1' })],
    ['it costs more than there is', () => stage.sign({ from: stage.anvils.accounts[3], nonce: '0x0', value: '0xffffffffffffffffffffff' })],
    ['it is of another chain', async () => OF_ANOTHER_CHAIN],
    ['it is none', async () => '0x1234'],
    ['it is no hexadecimal', async () => 'garbage'],
  ])('%s', async (_, signed) => {
    const transaction = await signed()
    const refusal = await callRpc(stage.anvils.nodes[0]!.url, SEND, transaction)
    expect(refusal.error).toBeDefined()
    expect(await callRpc(stage.url, SEND, transaction)).toEqual(refusal)
    expect(counts(SEND)).toEqual([1, 1, 1])
  })

  it('without waiting for a hanging node', async () => {
    await stage.upstreams[0]!.fail({ kind: 'hanging' }, { methods: [SEND] })
    // Its time does not end.
    stage.time.stop()
    expect(await callRpc(stage.url, SEND, OF_ANOTHER_CHAIN)).toMatchObject({ status: 200, error: { code: expect.any(Number) } })
    stage.time.goOn()
  })
})

async function send(signed: string): Promise<string> {
  return resultOfRpc(stage.url, SEND, signed)
}

function counts(method: string): number[] {
  return stage.upstreams.map((upstream) => upstream.asked(method))
}
