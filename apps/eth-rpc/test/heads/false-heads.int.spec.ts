import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { HeadMetricsService } from '../../src/heads/head-metrics.service.js'
import { type HeadSettings, HeadTracker } from '../../src/heads/head-tracker.engine.js'
import { refusalsIn } from '../../src/heads/refusal.js'
import type { UpstreamClientsService } from '../../src/upstreams/upstream-clients.service.js'
import { type SimBlock, simBlock } from '../simulation/sim-chain.js'
import { SIM_CHAIN_ID, SimNode } from '../simulation/sim-node.js'
import { ListeningReplica, untilTrue } from './tracked.js'

const POLL_MS = 20
/** Longer than a primary upstream may lag. */
const PATIENCE_MS = 3_000

let metrics: Metrics
let tracker: HeadTracker
let numbers: number[]
let replica: ListeningReplica
const watching = new AbortController()

afterEach(async () => {
  await tracker.onModuleDestroy()
})
afterAll(() => watching.abort())

describe.each([
  [20, 'of three', 3],
  [1_000_000, 'of three', 3],
  [20, 'of two', 2],
  [1_000_000, 'of two', 2],
])('one node claims a block %d ahead', (falseHead, _, count) => {
  it(`${_}, when it has the highest priority and from the start`, async () => {
    const nodes = chainOf(30, count)
    nodes[0]!.faults = { falseHead }
    follow(nodes, [9])
    await tracker.ready()
    await growFor(PATIENCE_MS, nodes)
    expectSteady(nodes)
    expect(tracker.upstreams.get('n0')).toMatchObject({ isUsable: false, refusal: { reason: 'unproven' } })
    expect(await metrics.registry.metrics()).toContain('upstream_refused{upstream="n0",reason="unproven"} 1')
  })

  it(`${_}, while it is primary`, async () => {
    const nodes = chainOf(30, count)
    follow(nodes, [9])
    await tracker.ready()
    await untilTrue(() => tracker.upstreams.get('n0')?.isPrimary === true)
    nodes[0]!.faults = { falseHead }
    await growFor(PATIENCE_MS, nodes)
    expectSteady(nodes)
  })
})

it('refuses a node whose blocks do not have the hashes of their headers', async () => {
  const nodes = chainOf(30, 2)
  follow(nodes)
  await tracker.ready()
  nodes[0]!.faults = { falseHead: 1, forgedHash: true }
  await untilTrue(() => tracker.upstreams.get('n0')?.refusal?.detail === 'it shows blocks whose hashes are not those of their headers')
  await growFor(500, nodes)
  expectSteady(nodes)
})

it('is unavailable rather than wrong where one of two has another chain', async () => {
  const [honest] = chainOf(30, 1) as [SimNode]
  follow([honest, new SimNode('n1', chain(40, 'another'))])
  await delay(PATIENCE_MS)
  expect(tracker.chain.head).toBeUndefined()
  expect(refusalsIn(tracker.upstreams.values())).toContain('n0: its newest block neither links to our chain nor is known to a quorum')
})

it('starts at the block that most have, whatever a third claims of another chain', async () => {
  const nodes = chainOf(30, 2)
  follow([new SimNode('n9', chain(60, 'another')), ...nodes], [9])
  await tracker.ready()
  expect(tracker.chain.head?.hash).toBe(nodes[0]!.head.hash)
})

it('leaves a branch that most others contradict, even when it is longer', async () => {
  const nodes = chainOf(30, 3)
  follow(nodes, [9])
  await tracker.ready()
  await untilTrue(() => tracker.upstreams.get('n0')?.isPrimary === true)
  const fork = nodes[0]!.head
  grow([nodes[0]!], 3, 'fork')
  grow(nodes.slice(1), 2, 'trunk')
  await untilTrue(() => tracker.chain.head?.hash === nodes[1]!.head.hash)
  expect(tracker.chain.byHash(fork.hash)).toBeDefined()
  expect(tracker.upstreams.get('n0')).toMatchObject({ isUsable: false, refusal: { reason: 'other-branch' } })
})

it('does not restart at a block that the others do not have, and does at one that most have', async () => {
  const nodes = chainOf(30, 3)
  follow(nodes)
  await tracker.ready()
  const other = chain(400, 'another')
  nodes[0]!.head = other
  await growFor(PATIENCE_MS, nodes.slice(1))
  expect(await metrics.registry.metrics()).toContain('head_restarts_total 0')
  expectSteady(nodes.slice(1))
  nodes[1]!.head = other
  await untilTrue(() => tracker.chain.head?.hash === other.hash)
  expect(await metrics.registry.metrics()).toContain('head_restarts_total 1')
}, 30_000)

it('believes a node that is far ahead once it has shown all that lies between', async () => {
  const nodes = chainOf(30, 2)
  follow(nodes)
  await tracker.ready()
  grow([nodes[1]!], 500)
  await untilTrue(() => tracker.chain.head?.hash === nodes[1]!.head.hash)
})

it('does not believe blocks that come faster than the chain makes them', async () => {
  const nodes = chainOf(30, 2)
  follow(nodes, [9], { PACE: { blockSeconds: 12 } })
  await tracker.ready()
  // Each a second after the one before: they link.
  grow([nodes[0]!], 60, 'hasty', 1)
  await delay(PATIENCE_MS)
  expect(tracker.upstreams.get('n0')?.refusal?.reason).toBe('unproven')
  expect(tracker.chain.head?.hash).toBe(nodes[1]!.head.hash)
})

function follow(nodes: readonly SimNode[], priorities: readonly number[] = [], settings: Partial<HeadSettings> = {}): void {
  metrics = new Metrics()
  const all = nodes.map((node, index) => ({ ...node.client, config: { ...node.client.config, priority: priorities[index] ?? 0 } }))
  const env = {
    CHAIN_ID: SIM_CHAIN_ID,
    POLL_MS,
    MAX_LAG: 4,
    RULES: { finality: 'nodes', blockSeconds: 12 },
    PACE: undefined,
    ...settings,
  } as const
  const logger = createLogger('eth', 'fatal', { write: () => undefined })
  tracker = new HeadTracker(env, { all } as unknown as UpstreamClientsService, logger, new HeadMetricsService(metrics))
  replica = new ListeningReplica(tracker)
  numbers = []
  tracker.onChange(() => numbers.push(tracker.chain.head?.number ?? 0))
  tracker.onApplicationBootstrap()
}

/** Our head never went back, was never disconnected, and is that of the honest. */
function expectSteady(nodes: readonly SimNode[]): void {
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(replica.removed).toEqual([])
  expect(tracker.chain.head?.hash).toBe(nodes[0]!.head.hash)
}

function chainOf(length: number, count: number): SimNode[] {
  const head = chain(length)
  return Array.from({ length: count }, (_, index) => new SimNode(`n${index}`, head))
}

function chain(length: number, salt = 'trunk'): SimBlock {
  let head = simBlock(undefined, { salt, timestamp: GENESIS_TIME, logs: 0 })
  while (head.number < length) head = simBlock(head, { salt, timestamp: GENESIS_TIME + 12 * (head.number + 1), logs: 0 })
  return head
}

function grow(nodes: readonly SimNode[], blocks: number, salt = 'trunk', seconds = 12): void {
  let { head } = nodes[0]!
  for (let made = 0; made < blocks; made++) {
    head = simBlock(head, { salt, timestamp: Number(head.shown.timestamp) + seconds, logs: 0 })
  }
  for (const node of nodes) node.head = head
}

async function growFor(ms: number, nodes: readonly SimNode[]): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end) {
    grow(nodes, 1)
    await delay(5 * POLL_MS)
  }
  const { head } = nodes[0]!
  await untilTrue(() => tracker.chain.head?.hash === head.hash)
}

const GENESIS_TIME = 1_700_000_000
