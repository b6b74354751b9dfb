import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DynamicModule, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { ActivitySink } from './activity.js'
import { type ReferenceAdditions, registerDocumentation } from './documentation.js'
import type { ServiceEnv } from './env.js'
import { HttpAdapter } from './http-adapter.js'
import { InternalRoutes } from './internal-server.js'
import { Lifecycle } from './lifecycle.js'
import { createLogger, Logger, nestLogger } from './logger.js'
import { Metrics } from './metrics.js'
import type { EndpointTree } from './open-api.js'
import { Readiness, type ReadinessReport } from './readiness.js'
import { RequestTracking } from './request-tracking.js'
import { RuntimeModule } from './runtime.module.js'
import { AttemptedName, SecurityEventSink } from './security-trail.js'
import { listen, urlOf } from './server-url.js'
import { stopOnSignals } from './stop-on-signals.js'
import { stopTracing } from './tracing-shutdown.js'

interface ServiceOptions {
  name: string
  version: string
  env: ServiceEnv
  endpoints: EndpointTree
  reference?: ReferenceAdditions
  /** The prefix of its paths, if it has no base path: serves the front page and the documentation there too. */
  ownPrefix?: `/${string}`
  /** Rewrites a path without its base path to the one that is routed, for paths with a second name. */
  alias?: (url: string) => string
  /** The largest body of a request; 1 MiB by default. */
  maxBodyBytes?: number
  /** One process of several, whose parent serves the internal port for all. */
  isWorker?: boolean
  /** False for one of several services in a process, which stops them all: true by default. */
  ownsProcess?: boolean
  /** Runs before the service listens: to register raw Fastify routes. */
  prepare?: (app: NestFastifyApplication) => Promise<void>
}

export interface RunningService {
  app: NestFastifyApplication
  /** The public address, without a slash at the end. */
  url: string
  /** Empty in a worker. */
  internalUrl: string
  readiness(): Promise<ReadinessReport>
  stop(): Promise<void>
}

/** A request that is still running this long after the port closed is cut off. */
const STOP_DEADLINE_MS = 20_000

/** Starts a service, which stops in order on SIGTERM and SIGINT. */
export async function bootService(module: Type | DynamicModule, options: ServiceOptions): Promise<RunningService> {
  const { env } = options
  const logger = createLogger(options.name, env.LOG_LEVEL)
  const adapter = new HttpAdapter(env, logger, options)
  const app = await createApp(module, adapter, logger)
  app.get(Metrics).buildInfo.labels(options.name, options.version).set(1)
  if (adapter.tls) app.get(Metrics).addCertificate(adapter.tls)
  const internal = app.get(InternalRoutes).createServer()
  const stop = once(() => stopInOrder({ app, adapter, internal, env, logger }))
  try {
    adapter.track(trackingOf(app, adapter, options.name))
    registerDocumentation(adapter.getInstance(), options)
    await options.prepare?.(app)
    await app.listen(env.PORT, env.HOST)
    if (!options.isWorker) await listen(internal, env.INTERNAL_PORT, env.HOST)
  } catch (error) {
    await stop()
    throw error
  }
  const release = options.ownsProcess === false ? () => undefined : stopOnSignals(stop, logger)
  const urls = { url: urlOf(adapter.getHttpServer()), internalUrl: options.isWorker ? '' : urlOf(internal) }
  logger.info({ ...urls, trustedProxies: env.TRUSTED_PROXIES }, 'listening')
  return { app, ...urls, readiness: () => app.get(Readiness).report(), stop: () => stop().finally(release) }
}

function createApp(module: Type | DynamicModule, adapter: HttpAdapter, logger: Logger): Promise<NestFastifyApplication> {
  class ServiceRoot {}
  const root: DynamicModule = { module: ServiceRoot, imports: [RuntimeModule.forRoot(logger), module] }
  return NestFactory.create<NestFastifyApplication>(root, adapter, { logger: nestLogger(logger), bodyParser: false, abortOnError: false })
}

function trackingOf(app: NestFastifyApplication, { connections }: HttpAdapter, service: string): RequestTracking {
  return new RequestTracking({
    service,
    connections,
    logger: app.get(Logger),
    metrics: app.get(Metrics),
    readiness: app.get(Readiness),
    sink: optional(app, ActivitySink),
    securitySink: optional(app, SecurityEventSink),
    attemptedName: optional(app, AttemptedName),
  })
}

interface Stoppable {
  app: NestFastifyApplication
  adapter: HttpAdapter
  internal: Server
  env: ServiceEnv
  logger: Logger
}

async function stopInOrder({ app, adapter, internal, env, logger }: Stoppable): Promise<void> {
  const lifecycle = app.get(Lifecycle)
  logger.info('stopping')
  app.get(Readiness).stopping = true
  await sleep(env.STOP_DELAY_MS)
  const cutOff = await adapter.connections.close(STOP_DEADLINE_MS)
  if (cutOff > 0) logger.warn({ cutOff }, 'requests did not finish in time and were cut off')
  await lifecycle.run('drain')
  await lifecycle.run('flush')
  await app.close()
  await stopTracing()
  await lifecycle.run('close')
  adapter.tls?.stop()
  internal.close()
  internal.closeAllConnections()
  logger.info('stopped')
}

function optional<T>(app: NestFastifyApplication, token: abstract new () => T): T | undefined {
  try {
    return app.get<T>(token, { strict: false })
  } catch {
    return undefined
  }
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= run()
    return running
  }
}
