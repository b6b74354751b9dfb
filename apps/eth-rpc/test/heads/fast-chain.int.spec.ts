import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { HeadMetricsService } from '../../src/heads/head-metrics.service.js'
import { HeadReadinessService } from '../../src/heads/head-readiness.service.js'
import type { HeadRules } from '../../src/heads/head-rules.js'
import { HeadTracker } from '../../src/heads/head-tracker.engine.js'
import type { UpstreamClientsService } from '../../src/upstreams/upstream-clients.service.js'
import { quantity, type SimBlock, simBlock } from '../simulation/sim-chain.js'
import { SIM_CHAIN_ID, SimNode } from '../simulation/sim-node.js'
import { ListeningReplica, untilTrue } from './tracked.js'

// Arbitrum's: four blocks a second, which have the same timestamp.
const BLOCK_MS = 250
const RULES: HeadRules = { finality: 'l1', blockSeconds: BLOCK_MS / 1000 }

let metrics: Metrics
let tracker: HeadTracker
let replica: ListeningReplica

afterEach(() => tracker.onModuleDestroy())

it('follows each block of a chain that makes four a second, for all that share a timestamp', async () => {
  const nodes = chainOf(40, 3)
  follow(nodes, RULES)
  await tracker.ready()
  await live(nodes, 24)
  await untilTrue(() => tracker.chain.head?.hash === nodes[0]!.head.hash)
  const blocks = tracker.chain.blocks().slice(-24)
  expect(replica.removed).toEqual([])
  expect(blocks.map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, at) => 41 + at))
  const timestamps = blocks.map(({ header }) => JSON.parse(header).timestamp)
  expect(new Set(timestamps).size).toBeLessThan(12)
  expect([...tracker.upstreams.values()].map(({ isUsable, isOnOurChain }) => isUsable && isOnOurChain)).toEqual([true, true, true])
  expect(await metrics.registry.metrics()).toContain('head_restarts_total 0')
})

it('stands a pause in which the chain goes on', async () => {
  const nodes = chainOf(40, 2)
  follow(nodes, RULES)
  await tracker.ready()
  for (const node of nodes) node.faults = { resets: true }
  // Half a minute of blocks.
  grow(nodes, 120)
  await delay(1_000)
  for (const node of nodes) node.faults = {}
  await untilTrue(() => tracker.chain.head?.hash === nodes[0]!.head.hash)
  expect(replica.removed).toEqual([])
  expect(await metrics.registry.metrics()).toContain('head_restarts_total 0')
})

it('does not believe blocks that come faster than the chain makes them', async () => {
  const nodes = chainOf(40, 2)
  follow(nodes, RULES)
  await tracker.ready()
  // All in the same second.
  grow([nodes[0]!], 80, 0)
  await untilTrue(() => tracker.upstreams.get('n0')?.refusal?.reason === 'unproven')
  expect(tracker.chain.head?.hash).toBe(nodes[1]!.head.hash)
})

it('is ready, and keeps nothing newer as final, while the L1 has no batch', async () => {
  const nodes = chainOf(40, 3, 20)
  follow(nodes, RULES)
  await tracker.ready()
  await live(nodes, 12)
  await untilTrue(() => tracker.chain.head?.hash === nodes[0]!.head.hash)
  const { safe, finalized } = tracker.chain
  expect([safe, finalized]).toEqual([20, 20])
  expect(await readiness()).toMatchObject({ ready: true })
  expect(await metrics.registry.metrics()).toContain('eth_rpc_settled_number{tag="finalized"} 20')
  // The batch is there.
  for (const node of nodes) node.settled = 48
  await live(nodes, 6)
  await untilTrue(() => tracker.chain.finalized === 48)
})

it('knows the final block of a chain where each is', async () => {
  const nodes = chainOf(40, 2, 20)
  follow(nodes, { ...RULES, finality: 'instant' })
  await tracker.ready()
  expect(tracker.chain.finalized).toBe(40)
})

class L2Node extends SimNode {
  /** The newest block whose batch is on the L1. */
  settled?: number

  protected override at(reference: unknown): SimBlock | undefined {
    const isSettled = (reference === 'safe' || reference === 'finalized') && this.settled !== undefined
    return super.at(isSettled ? quantity(this.settled ?? 0) : reference)
  }
}

function follow(nodes: readonly L2Node[], rules: HeadRules): void {
  metrics = new Metrics()
  const logger = createLogger('arbitrum', 'fatal', { write: () => undefined })
  const { blockSeconds } = rules
  const env = { CHAIN_ID: SIM_CHAIN_ID, POLL_MS: BLOCK_MS, MAX_LAG: 192, RULES: rules, PACE: { blockSeconds } }
  const all = nodes.map(({ client }) => client)
  tracker = new HeadTracker(env, { all } as unknown as UpstreamClientsService, logger, new HeadMetricsService(metrics))
  replica = new ListeningReplica(tracker)
  tracker.onApplicationBootstrap()
}

function readiness() {
  const all = new Readiness()
  new HeadReadinessService(tracker, all)
  return all.report()
}

/** Whose newest block is of now. */
function chainOf(length: number, count: number, settled?: number): L2Node[] {
  const now = Date.now() - BLOCK_MS
  let head: SimBlock | undefined
  for (let number = 0; number <= length; number++) head = made(head, now - (length - number) * BLOCK_MS)
  return Array.from({ length: count }, (_, index) => {
    const node = new L2Node(`n${index}`, head as SimBlock)
    node.settled = settled
    return node
  })
}

function grow(nodes: readonly L2Node[], count: number, paceMs = BLOCK_MS): void {
  const from = timestampOf(nodes[0]!.head) * 1000
  for (let step = 1; step <= count; step++) {
    const next = made(nodes[0]!.head, from + step * paceMs)
    for (const node of nodes) node.head = next
  }
}

/** A block each 250 ms. */
async function live(nodes: readonly L2Node[], count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    await delay(BLOCK_MS)
    const next = made(nodes[0]!.head, Date.now())
    for (const node of nodes) node.head = next
  }
}

function made(parent: SimBlock | undefined, ms: number): SimBlock {
  return simBlock(parent, { salt: 'l2', timestamp: Math.floor(ms / 1000), logs: 0 })
}

function timestampOf({ shown }: SimBlock): number {
  return Number(shown.timestamp)
}
