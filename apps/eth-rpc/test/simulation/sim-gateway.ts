import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { NatsConnection } from '@trestle/messaging/nats-connection'
import type { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { UsageMeter } from '@trestle/usage/usage-meter'
import type { WebSocket } from 'ws'
import { AnswerStore } from '../../src/answer-store/answer-store.engine.js'
import type { AnswerStoreRepository } from '../../src/answer-store/answer-store.repository.js'
import { AnswerStoreHealth } from '../../src/answer-store/answer-store-health.engine.js'
import { KeptAnswers } from '../../src/cache/kept-answers.engine.js'
import { CallAbort } from '../../src/call-signal.js'
import { readEnv } from '../../src/env.js'
import type { FailureLog } from '../../src/failures/failure-log.engine.js'
import { FilterChangesService } from '../../src/filters/filter-changes.service.js'
import type { FilterStoreClient } from '../../src/filters/filter-store.client.js'
import { FiltersService } from '../../src/filters/filters.service.js'
import { PendingChangesService } from '../../src/filters/pending-changes.service.js'
import { PendingWindow } from '../../src/filters/pending-window.engine.js'
import { AnswersService } from '../../src/gateway/answers.service.js'
import { CallExecutionService } from '../../src/gateway/call-execution.service.js'
import { CallMetrics } from '../../src/gateway/call-metrics.engine.js'
import { CallRecordsService } from '../../src/gateway/call-records.service.js'
import { RpcService } from '../../src/gateway/rpc.service.js'
import type { HeadFloorClient } from '../../src/heads/head-floor.client.js'
import { HeadFloorJob } from '../../src/heads/head-floor.job.js'
import { HeadMetricsService } from '../../src/heads/head-metrics.service.js'
import { HeadTracker } from '../../src/heads/head-tracker.engine.js'
import type { LimitsService } from '../../src/limits/limits.service.js'
import type { LiveProject } from '../../src/projects/live-project.js'
import type { LiveProjects } from '../../src/projects/live-projects.engine.js'
import { SubscriptionRegistry } from '../../src/subscriptions/subscription-registry.engine.js'
import { WebSocketConnection } from '../../src/subscriptions/web-socket-connection.engine.js'
import { ReceiptFeed } from '../../src/transactions/receipt-feed.engine.js'
import { WholeTransactionsService } from '../../src/transactions/whole-transactions.service.js'
import type { UpstreamClientsService } from '../../src/upstreams/upstream-clients.service.js'
import { UpstreamMetricsService } from '../../src/upstreams/upstream-metrics.service.js'
import { UpstreamPool } from '../../src/upstreams/upstream-pool.engine.js'
import { PROJECT_USAGE } from '../../src/usage/project-usage.js'
import { SIM_CHAIN_ID, type SimNode } from './sim-node.js'
import { SimSharedState } from './sim-shared-state.js'
import { SimSocket } from './sim-socket.js'

interface SimAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string }
}

interface SimSettings {
  readonly pollMs?: number
  readonly priorities?: readonly number[]
  readonly shared?: SimSharedState
}

/** A whole gateway in front of simulated nodes, without its process: what it would read from sockets, Postgres and NATS it is given. */
export class SimGateway {
  readonly tracker: HeadTracker
  readonly metrics = new Metrics()
  readonly pool: UpstreamPool
  private readonly store: AnswerStore
  private readonly storesAnswers: boolean
  private storing?: NodeJS.Timeout
  private readonly rpc: RpcService
  private readonly registry: SubscriptionRegistry
  private readonly floor: HeadFloorJob
  private readonly sockets = new Set<SimSocket>()
  private readonly killed = Promise.withResolvers<SimAnswer>()
  private readonly project: LiveProject
  isServing = false

  constructor(nodes: readonly SimNode[], { pollMs = 20, priorities = [], shared = new SimSharedState() }: SimSettings = {}) {
    const all = nodes.map(({ client }, index) => ({ ...client, config: { ...client.config, priority: priorities[index] ?? 0 } }))
    const clients = { all } as unknown as UpstreamClientsService
    const env = readEnv({ ...SETTINGS, POLL_MS: String(Math.max(50, pollMs)), ANSWER_STORE_MB: shared.storesAnswers ? '16' : '0' })
    const { metrics } = this
    this.tracker = new HeadTracker({ ...env, POLL_MS: pollMs }, clients, LOGGER, new HeadMetricsService(metrics))
    const { tracker } = this
    this.pool = new UpstreamPool(clients, tracker, new UpstreamMetricsService(metrics), env)
    this.floor = new HeadFloorJob(tracker, shared.floor as unknown as HeadFloorClient, { client: {} } as NatsConnection, LOGGER)
    const whole = new WholeTransactionsService(this.pool)
    const window = new PendingWindow(tracker, { onDrain: () => undefined } as unknown as Lifecycle)
    const changes = new FilterChangesService(tracker, this.pool, new PendingChangesService(window, whole), env)
    const filters = new FiltersService(shared.filters as unknown as FilterStoreClient, changes)
    const calls = new CallMetrics(metrics)
    this.storesAnswers = shared.storesAnswers
    this.store = new AnswerStore(shared.answers as unknown as AnswerStoreRepository, tracker, new AnswerStoreHealth(LOGGER, metrics), env)
    const answers = new AnswersService(tracker, this.pool, new KeptAnswers(tracker, this.store, calls, env), env)
    const limits = { take: () => undefined } as unknown as LimitsService
    const execution = new CallExecutionService(limits, answers, filters, LOGGER)
    this.rpc = new RpcService({} as LiveProjects, execution, new CallRecordsService(calls, NO_LOG), LOGGER)
    this.registry = new SubscriptionRegistry(tracker, whole, new ReceiptFeed(tracker, this.pool), metrics)
    this.project = { ...PROJECT, meter: new UsageMeter(PROJECT_USAGE.table.none, () => {}) }
  }

  /** Settles once it serves. */
  async start(): Promise<void> {
    this.tracker.onApplicationBootstrap()
    await this.tracker.ready()
    await this.floor.reached()
    if (this.storesAnswers) this.storing = setInterval(() => void this.store.work(), 1_000)
    this.isServing = true
  }

  async stop(): Promise<void> {
    this.isServing = false
    clearInterval(this.storing)
    for (const socket of this.sockets) socket.close()
    await this.tracker.onModuleDestroy()
  }

  /** Whoever waits for an answer gets none. */
  kill(): void {
    this.killed.resolve({ error: { code: 0, message: 'the connection was reset' } })
    void this.stop()
  }

  /** As over HTTP. */
  call(method: string, ...params: unknown[]): Promise<SimAnswer> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const answer = new Promise<SimAnswer>((resolve) => {
      const context = { project: this.project, requestId: '', address: () => '', caller: () => undefined, signal: new CallAbort() }
      void this.rpc.respond(body, context, ({ answer: parts }) => {
        const { result, error } = JSON.parse(Buffer.concat(parts).toString())
        resolve(error ? { error } : { result })
      })
    })
    return Promise.race([answer, this.killed.promise])
  }

  /** As over WebSocket. */
  connect(onMessage: (text: string) => void): SimSocket {
    const socket = new SimSocket(onMessage)
    new WebSocketConnection(socket as unknown as WebSocket, this.rpc, this.registry, {
      project: this.project,
      requestId: '',
      request: new IncomingMessage(new Socket()),
      address: () => '',
    })
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    return socket
  }
}

const NO_LOG = { note: () => undefined } as unknown as FailureLog

const LOGGER = createLogger('eth', process.env.TRACE ? 'info' : 'fatal', {
  write: (line) => void (process.env.TRACE && process.stdout.write(`${Math.round(performance.now())} ${line}`)),
})

const PROJECT = {
  serial: 1,
  id: '1'.repeat(32),
  access: {},
  namespaces: new Set(),
  limits: { perSecond: 1, perDay: 1 },
} as unknown as LiveProject

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
