import { encodeDepositEvent } from '@trestle/ethereum/deposit'
import { networkOf } from '@trestle/ethereum/network'
import { FakeUpstream, NONSENSE, type ReceivedRequest } from '../../test/fake-upstream.js'
import { ExecutionClient } from './execution.client.js'
import { UpstreamUnavailable } from './upstream-errors.js'

const TOPIC = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'
const EVENT = {
  pubkey: Buffer.alloc(48, 1),
  withdrawalCredentials: Buffer.alloc(32, 2),
  amountGwei: 32_000_000_000n,
  signature: Buffer.alloc(96, 3),
  index: 7n,
}

let nodes: FakeUpstream[]
let execution: ExecutionClient
let results: Record<string, unknown>

beforeEach(async () => {
  results = { eth_chainId: '0x88bb0' }
  nodes = [await FakeUpstream.start({ 'POST /': answer }), await FakeUpstream.start({ 'POST /': answer })]
  const urls = nodes.map(({ url }) => url)
  execution = new ExecutionClient(urls, async () => networkOf('hoodi'))
})
afterEach(async () => {
  await execution.close()
  await Promise.all(nodes.map((node) => node.stop()))
})

describe(ExecutionClient, () => {
  it('returns the deposits that the contract logged', async () => {
    results.eth_getLogs = [log()]
    expect(await execution.depositLogs(16, 32)).toEqual([{ ...EVENT, blockNumber: 20 }])
    expect(JSON.parse(nodes[0]!.asked.at(-1)!.body)).toMatchObject({
      method: 'eth_getLogs',
      params: [{ address: '0x00000000219ab540356cbb839cbe05303d7705fa', topics: [TOPIC], fromBlock: '0x10', toBlock: '0x20' }],
    })
  })

  it('rejects a log that is not a deposit', async () => {
    results.eth_getLogs = [{ ...log(), data: `${log().data}00` }]
    await expect(execution.depositLogs(1, 2)).rejects.toThrow('A DepositEvent has 576 bytes, not 577.')
  })

  it('sends no call to a node of another chain', async () => {
    nodes[0]!.answers['POST /'] = { body: { jsonrpc: '2.0', id: 1, result: '0x1' } }
    results.eth_getBlockByNumber = { number: '0x2a' }
    expect(await execution.latestBlock()).toBe(42)
    nodes[1]!.takeOver = (response) => response.destroy()
    results.eth_chainId = '0x1'
    await expect(execution.latestBlock()).rejects.toBeInstanceOf(UpstreamUnavailable)
  })

  it.each(NONSENSE)('tries the next node if the first answers with %s', async (_, takeOver) => {
    nodes[0]!.takeOver = takeOver
    results.eth_getBlockByNumber = { number: '0x2a' }
    expect(await execution.latestBlock()).toBe(42)
  })

  it('reads a block with its payments', async () => {
    const hash = `0x${'11'.repeat(32)}`
    const address = `0x${'22'.repeat(20)}`
    results.eth_getBlockByHash = {
      number: '0x5',
      hash,
      miner: address,
      baseFeePerGas: '0x7',
      withdrawals: [{ index: '0x1', validatorIndex: '0x9', address, amount: '0x3b9aca00' }],
      transactions: [{ hash, from: address, to: null, value: '0xde0b6b3a7640000', input: '0x' }],
    }
    expect(await execution.blockByHash(Buffer.alloc(32, 0x11))).toMatchObject({
      number: 5,
      feeRecipient: Buffer.alloc(20, 0x22),
      withdrawals: [{ validatorIndex: 9n, amountGwei: 1_000_000_000n }],
      transactions: [{ valueWei: 10n ** 18n, from: Buffer.alloc(20, 0x22) }],
    })
    results.eth_getBlockByHash = null
    expect(await execution.blockByHash(Buffer.alloc(32, 0x11))).toBeUndefined()
  })

  it('reports what a node refused', async () => {
    await expect(execution.receipts(5)).rejects.toMatchObject({
      name: 'UpstreamRefusal',
      status: -32601,
      message: 'execution node 2 refused eth_getBlockReceipts: no such method',
    })
  })
})

function answer({ body }: ReceivedRequest) {
  const { method } = JSON.parse(body)
  const isKnown = Object.hasOwn(results, method)
  return {
    body: { jsonrpc: '2.0', id: 1, ...(isKnown ? { result: results[method] } : { error: { code: -32601, message: 'no such method' } }) },
  }
}

function log() {
  return { topics: [TOPIC], data: `0x${encodeDepositEvent(EVENT).toString('hex')}`, blockNumber: '0x14', removed: false, address: '0x' }
}
