import { untilTrue } from '../heads/tracked.js'
import { quantity, type SimBlock, simBlock, TOKEN } from './sim-chain.js'
import { SimGateway } from './sim-gateway.js'
import { SimNode } from './sim-node.js'

let gateway: SimGateway
afterEach(() => gateway.stop())

it.each([0, 1, 2])('logs that one of three nodes lacks are asked of another, and nothing wrong is kept: node %d', async (ill) => {
  const nodes = await begin(3)
  nodes[ill]!.faults = { lostLogsFrom: 5 }
  for (let block = 0; block < 8; block++) {
    await grow(nodes)
    const { number, logs, hash } = nodes[0]!.head
    // Often enough to be asked of each, and found in the cache.
    for (let again = 0; again < 4; again++) {
      expect((await search({ fromBlock: quantity(number), toBlock: quantity(number) })).map(hashOf)).toEqual(logs.map(hashOf))
      expect((await search({ blockHash: hash })).map(hashOf)).toEqual(logs.map(hashOf))
      expect(await search({ fromBlock: quantity(number - 1), toBlock: 'latest' })).toHaveLength(nodes[0]!.head.number > 5 ? 2 : 1)
    }
  }
})

it('what two of three nodes say outweighs what the last one says', async () => {
  const nodes = await begin(3, { priorities: [2, 1, 0] })
  for (let block = 0; block < 3; block++) await grow(nodes)
  nodes[0]!.faults = nodes[1]!.faults = { lostLogsFrom: 7 }
  nodes[2]!.faults = { lostLogsFrom: 6 }
  expect(await search({ fromBlock: '0x6', toBlock: '0x7' })).toEqual([expect.objectContaining({ blockNumber: '0x6' })])
})

it.each([0, 1, 2])('logs of a block by its hash that our chain does not have yet: node %d lacks them', async (ill) => {
  const nodes = await begin(3, { pollMs: 60_000 })
  const { head } = nodes[0]!
  const next = simBlock(head, { salt: 0, timestamp: Number(head.shown.timestamp) + 12, logs: 2 })
  for (const node of nodes) node.head = next
  nodes[ill]!.faults = { lostLogsFrom: 5 }
  for (let again = 0; again < 6; again++) expect(await search({ blockHash: next.hash })).toHaveLength(2)
})

it('what nobody has is answered, and asked again', async () => {
  const nodes = await begin(2)
  for (const node of nodes) node.faults = { lostLogsFrom: 5 }
  await grow(nodes)
  const range = { fromBlock: '0x5', toBlock: '0x5' }
  expect(await search(range)).toEqual([])
  for (const node of nodes) node.faults = {}
  expect(await search(range)).toHaveLength(1)
  expect(await gateway.metrics.registry.metrics()).toMatch(/upstream_contradicted_total\{upstream="n\d",kind="early"\} 1/)
})

it('no logs where the bloom has none are answered by one node, and kept', async () => {
  const nodes = await begin(3)
  await grow(nodes)
  const before = asked(nodes)
  const elsewhere = { address: `0x${'99'.repeat(20)}`, fromBlock: '0x5', toBlock: '0x5' }
  for (let again = 0; again < 5; again++) expect(await search(elsewhere)).toEqual([])
  expect(asked(nodes) - before).toBe(1)
})

async function begin(count: number, settings: ConstructorParameters<typeof SimGateway>[1] = {}): Promise<SimNode[]> {
  let head: SimBlock = simBlock(undefined, { salt: 0, timestamp: 1_700_000_000, logs: 0 })
  while (head.number < 4) head = simBlock(head, { salt: 0, timestamp: 1_700_000_000 + 12 * head.number, logs: 0 })
  const nodes = Array.from({ length: count }, (_, index) => new SimNode(`n${index}`, head))
  gateway = new SimGateway(nodes, settings)
  await gateway.start()
  return nodes
}

/** A block with a log, and everybody has it. */
async function grow(nodes: readonly SimNode[]): Promise<void> {
  const { head } = nodes[0]!
  const next = simBlock(head, { salt: 0, timestamp: Number(head.shown.timestamp) + 12, logs: 1 })
  for (const node of nodes) node.head = next
  const { tracker } = gateway
  await untilTrue(() => [...tracker.upstreams.values()].every(({ head: its, isUsable }) => isUsable && its === next.number))
}

async function search(filter: object): Promise<{ transactionHash: string }[]> {
  const { result, error } = await gateway.call('eth_getLogs', { address: TOKEN, ...filter })
  expect(error).toBeUndefined()
  return result
}

function hashOf({ transactionHash }: { transactionHash: string }): string {
  return transactionHash
}

function asked(nodes: readonly SimNode[]): number {
  return nodes.reduce((sum, node) => sum + node.asked.filter((method) => method === 'eth_getLogs').length, 0)
}
