import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { type ChainBlock, FollowedChain } from '../../src/heads/followed-chain.js'
import type { HeadFeed } from '../../src/heads/head-feed.js'
import { HeadMetricsService } from '../../src/heads/head-metrics.service.js'
import { type HeadSettings, HeadTracker } from '../../src/heads/head-tracker.engine.js'
import type { BudgetBook } from '../../src/upstreams/budgets/budget-book.js'
import { UpstreamClientsService } from '../../src/upstreams/upstream-clients.service.js'
import type { UpstreamConfig } from '../../src/upstreams/upstream-config.js'

export interface Tracked {
  readonly tracker: HeadTracker
  readonly metrics: Metrics
  readonly budgets: BudgetBook
  stop(): Promise<void>
}

type TrackedNode = Pick<UpstreamConfig, 'url'> & Partial<UpstreamConfig>

/** Named n0, n1, ... */
export function track(nodes: readonly TrackedNode[], settings: Partial<HeadSettings> = {}, log: NodeJS.WritableStream = SILENT): Tracked {
  const logger = createLogger('eth', 'debug', { write: (line) => void log.write(line) })
  const metrics = new Metrics()
  const UPSTREAMS = nodes.map((node, index) => ({ priority: 1, archive: false, ...node, name: `n${index}` }))
  const env: HeadSettings = {
    CHAIN_ID: 1337,
    POLL_MS: 50,
    MAX_LAG: 4,
    RULES: { finality: 'nodes', blockSeconds: 12 },
    PACE: undefined,
    ...settings,
  }
  const clients = new UpstreamClientsService({ UPSTREAMS, UPSTREAM_TRANSPORT: 'http1' })
  const tracker = new HeadTracker(env, clients, logger, new HeadMetricsService(metrics))
  tracker.onApplicationBootstrap()
  const stop = async () => {
    await tracker.onModuleDestroy()
    await clients.onApplicationShutdown()
  }
  return { tracker, metrics, budgets: clients.budgets, stop }
}

const SILENT = { write: () => true } as unknown as NodeJS.WritableStream

/** Holds what a listener knows who hears of changes only, and checks each. */
export class ListeningReplica {
  readonly chain = new FollowedChain(10_000)
  readonly removed: ChainBlock[] = []
  readonly logs: string[] = []

  constructor(feed: HeadFeed, { logs = false } = {}) {
    feed.onChange((change) => {
      this.chain.apply(change)
      this.removed.push(...change.removed)
    })
    if (logs) feed.onLogs(({ block, removed, logs }) => this.logs.push(`${removed ? '-' : '+'}${block.hash} ${logs.length}`))
  }

  get head(): string | undefined {
    return this.chain.head?.hash
  }
}

export async function untilTrue(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(10)
}
