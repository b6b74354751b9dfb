import { quantity, type SimBlock, simBlock, TOKEN } from './sim-chain.js'
import { SimGateway } from './sim-gateway.js'
import { SimNode, stateOf } from './sim-node.js'

// Nodes are asked for their heads so seldom that nothing here is learned by that.
const POLL_MS = 60_000
const ACCOUNT = `0x${'ac'.repeat(20)}`

let gateway: SimGateway
afterEach(() => gateway.stop())

it.each([1, 2, 3])('who was told a block by a receipt reads nothing older, while heads are polled: %d nodes', async (count) => {
  const nodes = await begin(count)
  for (let block = 0; block < 10; block++) {
    const head = grow(nodes)
    const receipt = await gateway.call('eth_getTransactionReceipt', head.transactions[0])
    expect(receipt.result).toMatchObject({ blockNumber: quantity(head.number) })
    expect((await gateway.call('eth_blockNumber')).result).toBe(quantity(head.number))
    expect((await gateway.call('eth_getBalance', ACCOUNT, 'latest')).result).toBe(stateOf(head, ACCOUNT))
    const { result: logs } = await gateway.call('eth_getLogs', { address: TOKEN, fromBlock: quantity(head.number), toBlock: 'latest' })
    expect(logs).toHaveLength(1)
  }
})

it('who was told a block by another replica gets its logs and its state', async () => {
  const nodes = await begin(2)
  const { number } = grow(nodes)
  const range = { fromBlock: quantity(number), toBlock: quantity(number) }
  expect((await gateway.call('eth_getLogs', range)).result).toHaveLength(1)
  const head = grow(nodes)
  expect((await gateway.call('eth_getBalance', ACCOUNT, quantity(head.number))).result).toBe(stateOf(head, ACCOUNT))
  expect((await gateway.call('eth_blockNumber')).result).toBe(quantity(head.number))
  const next = grow(nodes)
  // One of them is behind.
  nodes[0]!.faults = { lag: 3 }
  expect((await gateway.call('eth_getBlockByNumber', quantity(next.number), false)).result).toMatchObject({ hash: next.hash })
})

it('who was told a block of another branch than ours reads nothing of ours any more', async () => {
  const nodes = await begin(3)
  const before = nodes[0]!.head
  const ours = grow(nodes)
  await gateway.call('eth_getTransactionReceipt', ours.transactions[0])
  const other = simBlock(before, { salt: 'other', timestamp: Number(before.shown.timestamp) + 12, logs: 1 })
  for (const node of nodes) node.head = other
  const head = grow(nodes)
  const receipt = await gateway.call('eth_getTransactionReceipt', other.transactions[0])
  expect(receipt.result).toMatchObject({ blockHash: other.hash })
  expect(gateway.tracker.chain.at(other.number)?.hash).toBe(other.hash)
  expect((await gateway.call('eth_getBalance', ACCOUNT, 'latest')).result).toBe(stateOf(head, ACCOUNT))
})

it.each([
  ['a block that does not come', 1],
  ['one far beyond the head', 1_000],
])('logs beyond the head are refused, not cut: %s', async (_, ahead) => {
  const [node] = (await begin(1)) as [SimNode]
  const range = { fromBlock: '0x1', toBlock: quantity(node.head.number + ahead) }
  expect(await gateway.call('eth_getLogs', range)).toEqual({
    error: { code: -32_602, message: 'block range extends beyond current head block' },
  })
})

it('does not show a receipt of a block that cannot be proven', async () => {
  const nodes = await begin(3)
  const { head } = nodes[0]!
  // A branch of one node: the gateway stays where the others are.
  nodes[0]!.head = simBlock(simBlock(undefined, { salt: 'x', timestamp: 0, logs: 0 }), { salt: 'x', timestamp: 1, logs: 1 })
  for (let block = 0; block < 9; block++) nodes[0]!.head = simBlock(nodes[0]!.head, { salt: 'x', timestamp: 2 + block, logs: 1 })
  const { error, result } = await gateway.call('eth_getTransactionReceipt', nodes[0]!.head.transactions[0])
  expect(error?.code ?? result).toBe(result === null ? null : -32_002)
  expect((await gateway.call('eth_blockNumber')).result).toBe(quantity(head.number))
})

async function begin(count: number): Promise<SimNode[]> {
  let head: SimBlock = simBlock(undefined, { salt: 0, timestamp: 1_700_000_000, logs: 0 })
  while (head.number < 4) head = simBlock(head, { salt: 0, timestamp: 1_700_000_000 + 12 * head.number, logs: 0 })
  const nodes = Array.from({ length: count }, (_, index) => new SimNode(`n${index}`, head))
  gateway = new SimGateway(nodes, { pollMs: POLL_MS })
  await gateway.start()
  return nodes
}

function grow(nodes: readonly SimNode[]): SimBlock {
  const { head } = nodes[0]!
  const next = simBlock(head, { salt: 0, timestamp: Number(head.shown.timestamp) + 12, logs: 1 })
  for (const node of nodes) node.head = next
  return next
}
