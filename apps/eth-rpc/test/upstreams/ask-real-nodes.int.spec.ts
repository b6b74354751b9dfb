import { Wallet } from 'ethers'
import { knownMethod } from '../../src/upstreams/upstream-request.js'
import { Anvils } from '../heads/anvils.js'
import { FakeHeadFeed } from './fake-head-feed.js'
import { upstreamsBefore } from './upstreams.js'

// Of the phrase every development chain has.
const RICH = new Wallet('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

describe('two anvils', () => {
  let anvils: Anvils
  let started: ReturnType<typeof upstreamsBefore>

  beforeAll(async () => {
    anvils = await Anvils.start(2)
    started = upstreamsBefore(
      anvils.nodes.map(({ url }) => ({ url })),
      new FakeHeadFeed(['a', 'b']),
    )
  })

  afterAll(async () => {
    await started.close()
    await anvils.stop()
  })

  it('accept a transaction that is sent repeatedly, before and after it is mined', async () => {
    const raw = await RICH.signTransaction({ to: RICH.address, nonce: 0, gasLimit: 21_000, gasPrice: 10n ** 11n, chainId: 1337 })
    const first = await broadcast(raw)
    expect(first).toEqual({ result: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    expect(await broadcast(raw)).toEqual(first)
    await anvils.mine(1)
    expect(await broadcast(raw)).toEqual(first)
  })

  it('say why they refuse a transaction', async () => {
    const raw = await RICH.signTransaction({ to: RICH.address, nonce: 0, gasLimit: 21_000, gasPrice: 10n ** 12n, chainId: 1337 })
    expect(await broadcast(raw)).toEqual({ error: expect.objectContaining({ message: 'nonce too low' }) })
    expect(await broadcast('0x1234')).toEqual({ error: await directly('eth_sendRawTransaction', ['0x1234']) })
  })

  it.each([
    ['eth_getBlockByNumber', ['0x0', true]],
    ['eth_getBalance', [RICH.address, '0x0']],
    ['eth_feeHistory', ['0x1', '0x1', [25]]],
    // Reverts: PUSH1 0, PUSH1 0, REVERT.
    ['eth_call', [{ data: '0x60006000fd' }, '0x1']],
    ['eth_getBlockByHash', ['0x12', false]],
  ])('answer %s as they do directly', async (name, params) => {
    const outcome = await started.upstreams.call({ method: knownMethod(name), paramsJson: JSON.stringify(params) })
    expect(JSON.parse(outcome.json.toString())).toEqual(await directly(name, params))
  })

  it('find the same logs as directly', async () => {
    await anvils.mine(3, { withLog: true })
    const { json } = await started.upstreams.logs({ fromBlock: 0, toBlock: 4 }, { blocks: 10_000 })
    expect(JSON.parse(json.toString())).toHaveLength(3)
    expect(JSON.parse(json.toString())).toEqual(await directly('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x4' }]))
  })

  async function broadcast(raw: string): Promise<Record<string, unknown>> {
    const { member, json } = await started.upstreams.broadcast(JSON.stringify([raw]))
    return { [member]: JSON.parse(json.toString()) }
  }

  async function directly(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const url = anvils.nodes[0]?.url ?? ''
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
    return error ?? result
  }
})
