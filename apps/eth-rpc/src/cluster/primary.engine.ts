import { once } from 'node:events'
import type { Server } from 'node:http'
import type { DynamicModule, INestApplicationContext } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { InternalRoutes } from '@trestle/runtime/internal-server'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger, Logger, nestLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness, type ReadinessReport } from '@trestle/runtime/readiness'
import { RuntimeModule } from '@trestle/runtime/runtime.module'
import { urlOf } from '@trestle/runtime/server-url'
import { stopOnSignals } from '@trestle/runtime/stop-on-signals'
import { AggregatorRegistry } from 'prom-client'
import type { EthRpcEnv } from '../env.js'
import { HeadTracker } from '../heads/head-tracker.engine.js'
import { HeadsModule } from '../heads/heads.module.js'
import { SettingsModule } from '../settings.module.js'
import { UpstreamClientsService } from '../upstreams/upstream-clients.service.js'
import { WorkerPool } from './worker-pool.engine.js'

interface RunningPrimary {
  readonly internalUrl: string
  readonly pool: WorkerPool
  readiness(): Promise<ReadinessReport>
  stop(): Promise<void>
}

// How long a worker may take to stop, by its own deadlines, besides the delay.
const WORKER_STOP_MS = 35_000

/** Follows the chain for workers, which serve. Its internal port answers for all of them. In a group it is one chain of several of this process. */
export async function startPrimary(env: EthRpcEnv, group?: { readonly environment: NodeJS.ProcessEnv }): Promise<RunningPrimary> {
  const logger = createLogger(env.DEPLOYMENT, env.LOG_LEVEL)
  const app = await NestFactory.createApplicationContext(rootOf(env, logger), { logger: nestLogger(logger), abortOnError: false })
  const { budgets } = app.get(UpstreamClientsService)
  const pool = new WorkerPool({ count: env.WORKERS, feed: app.get(HeadTracker), budgets, logger, environment: group?.environment })
  answerForAll(app, pool)
  const internal = app.get(InternalRoutes).createServer()
  internal.listen(env.INTERNAL_PORT, env.HOST)
  await once(internal, 'listening')
  pool.start()
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopInOrder({ app, pool, internal, env, logger })
    return stopping
  }
  const release = group ? () => undefined : stopOnSignals(stop, logger)
  const internalUrl = urlOf(internal)
  logger.info({ internalUrl, workers: env.WORKERS }, 'workers are starting')
  return { internalUrl, pool, readiness: () => app.get(Readiness).report(), stop: () => stop().finally(release) }
}

function rootOf(env: EthRpcEnv, logger: Logger): DynamicModule {
  class PrimaryRoot {}
  return { module: PrimaryRoot, imports: [RuntimeModule.forRoot(logger), SettingsModule.forRoot(env), HeadsModule.forRoot(env)] }
}

function answerForAll(app: INestApplicationContext, pool: WorkerPool): void {
  const metrics = app.get(Metrics)
  metrics.text = async () => {
    const all = [await metrics.registry.getMetricsAsJSON(), ...(await pool.reports('metrics'))] as object[]
    return AggregatorRegistry.aggregate(all).metrics()
  }
  app.get(Readiness).add('workers', async () => {
    const reports = (await pool.reports('readiness')) as ReadinessReport[]
    if (!reports.some(({ ready }) => ready)) throw new Error('No worker is ready.')
  })
}

interface Stoppable {
  readonly app: INestApplicationContext
  readonly pool: WorkerPool
  readonly internal: Server
  readonly env: EthRpcEnv
  readonly logger: Logger
}

async function stopInOrder({ app, pool, internal, env, logger }: Stoppable): Promise<void> {
  logger.info('stopping')
  app.get(Readiness).stopping = true
  await pool.stop(env.STOP_DELAY_MS + WORKER_STOP_MS)
  const lifecycle = app.get(Lifecycle)
  for (const phase of ['drain', 'flush'] as const) await lifecycle.run(phase)
  await app.close()
  await lifecycle.run('close')
  internal.close()
  internal.closeAllConnections()
  logger.info('stopped')
}
