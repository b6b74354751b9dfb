import type { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { CallAbort } from '../../src/call-signal.js'
import { readEnv } from '../../src/env.js'
import { FilterChangesService } from '../../src/filters/filter-changes.service.js'
import { PendingChangesService } from '../../src/filters/pending-changes.service.js'
import { PendingWindow } from '../../src/filters/pending-window.engine.js'
import { AnswersService } from '../../src/gateway/answers.service.js'
import type { CallContext } from '../../src/gateway/call-context.js'
import { CallMetrics } from '../../src/gateway/call-metrics.engine.js'
import { HeadMetricsService } from '../../src/heads/head-metrics.service.js'
import { HeadTracker } from '../../src/heads/head-tracker.engine.js'
import type { WholeTransactionsService } from '../../src/transactions/whole-transactions.service.js'
import type { UpstreamClientsService } from '../../src/upstreams/upstream-clients.service.js'
import { UpstreamMetricsService } from '../../src/upstreams/upstream-metrics.service.js'
import { UpstreamPool } from '../../src/upstreams/upstream-pool.engine.js'
import { knownMethod } from '../../src/upstreams/upstream-request.js'
import { SIM_CHAIN_ID, type SimNode } from './sim-node.js'

interface SimAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string }
}

interface SimSettings {
  readonly pollMs?: number
  readonly priorities?: readonly number[]
}

/** What answers calls, in front of simulated nodes: heads, choice, checks and cache, without sockets. */
export class SimGateway {
  readonly tracker: HeadTracker
  readonly metrics = new Metrics()
  readonly pool: UpstreamPool
  readonly filters: FilterChangesService
  private readonly answers: AnswersService

  constructor(nodes: readonly SimNode[], { pollMs = 20, priorities = [] }: SimSettings = {}) {
    const all = nodes.map(({ client }, index) => ({ ...client, config: { ...client.config, priority: priorities[index] ?? 0 } }))
    const clients = { all } as unknown as UpstreamClientsService
    const env = readEnv({ ...SETTINGS, POLL_MS: String(Math.max(50, pollMs)) })
    const logger = createLogger('eth', 'fatal', {
      write: (line) => void (process.env.TRACE && process.stdout.write(`${Math.round(performance.now())} ${line}`)),
    })
    this.tracker = new HeadTracker({ ...env, POLL_MS: pollMs }, clients, logger, new HeadMetricsService(this.metrics))
    this.pool = new UpstreamPool(clients, this.tracker, new UpstreamMetricsService(this.metrics), env)
    const window = new PendingWindow(this.tracker, { onDrain: () => undefined } as unknown as Lifecycle)
    this.filters = new FilterChangesService(this.tracker, this.pool, new PendingChangesService(window, {} as WholeTransactionsService), env)
    this.answers = new AnswersService(this.tracker, this.pool, new CallMetrics(this.metrics), env)
  }

  start(): void {
    this.tracker.onApplicationBootstrap()
  }

  stop(): Promise<void> {
    return this.tracker.onModuleDestroy()
  }

  async call(method: string, ...params: unknown[]): Promise<SimAnswer> {
    try {
      const { member, json } = await this.answers.answer(knownMethod(method), params, CONTEXT)
      return { [member]: JSON.parse(json.toString()) }
    } catch (error) {
      return { error: (error as { error: SimAnswer['error'] }).error }
    }
  }
}

const CONTEXT = { signal: new CallAbort() } as unknown as CallContext

const SETTINGS = {
  DATABASE_URL: 'postgres://localhost/none',
  NATS_URL: 'nats://localhost',
  PUBLIC_URL: 'http://localhost',
  PORT: '1',
  INTERNAL_PORT: '1',
  TRUST_ROOTS: Buffer.alloc(32).toString('base64'),
  CHAIN: 'eth',
  CHAIN_ID: String(SIM_CHAIN_ID),
  UPSTREAMS: 'http://localhost',
  CALL_TIMEOUT_MS: '5000',
  CACHE_MB: '4',
}
