import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { INestApplication } from '@nestjs/common'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Problem } from '@trestle/problem/problem'
import { codeOf } from '@trestle/problem/thrown'
import { type FastifyHttpOptions, type FastifyReply, type FastifyRequest, LogController, type RouteOptions } from 'fastify'
import { withoutBasePath } from './base-path.js'
import { registerBodyParser } from './body-parser.js'
import { closeGently, endWithProblem, handleClientError, handleExpectation } from './client-error.js'
import type { ServiceEnv } from './env.js'
import type { Logger } from './logger.js'
import { OpenConnections } from './open-connections.js'
import { frameworkProblem, sendProblem } from './problem.filter.js'
import { clientAddresses, requestIdOf } from './request.js'
import { headProblem, type RequestTracking } from './request-tracking.js'
import { keepSecure, type ServerTlsEnv, serverTlsFiles, serverTlsOptions } from './tls/server-tls.js'
import type { TlsFiles } from './tls/tls-files.engine.js'
import { handleUnrouted } from './unrouted.js'

/** How much a client may send, and how slowly; RFC 9110 leaves these limits to the server. */
const LIMITS = {
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  parameterLength: 8192,
  headersMs: 10_000,
  requestMs: 30_000,
  /** A connection without traffic in either direction, such as a client that stops reading. */
  idleMs: 60_000,
  /** Longer than the 60 s of common load balancers, so that they close connections before we do. */
  keepAliveMs: 72_000,
  checkMs: 1000,
}

interface Route {
  method: string
  /** As in OpenAPI: `/users/{userId}`. */
  path: string
}

interface HttpAdapterOptions {
  readonly alias?: (url: string) => string
  readonly maxBodyBytes?: number
}

type HttpEnv = Pick<ServiceEnv, 'BASE_PATH' | 'TRUSTED_PROXIES'> & ServerTlsEnv

/** Writes the response to a request; `headers` are those of every response, names and values in turn. */
export type FastPathReply = (response: ServerResponse, headers: string[]) => void

/** Nest's Fastify adapter with this platform's limits, body parser and responses to unknown routes. */
export class HttpAdapter extends FastifyAdapter {
  readonly connections: OpenConnections
  readonly routes: Route[] = []
  /** Undefined where it serves HTTP. */
  readonly tls: TlsFiles | undefined
  /** The client's address of a request on a fast path. */
  readonly addressOf: (request: IncomingMessage) => string
  private tracking?: RequestTracking
  private readonly alias: (url: string) => string
  private ownPaths?: ReadonlySet<string>

  constructor(
    private readonly env: HttpEnv,
    logger: Logger,
    { alias = (url) => url, maxBodyBytes = LIMITS.bodyBytes }: HttpAdapterOptions = {},
  ) {
    const tls = serverTlsFiles(env, logger)
    super({
      ...serverOptions(env, logger, tls),
      bodyLimit: maxBodyBytes,
      skipMiddie: true,
      rewriteUrl: (request: IncomingMessage) => this.routedPath(request),
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        // Hooks do not run for a path that cannot be decoded.
        this.tracking?.begin(request, reply)
        sendProblem(reply, frameworkProblem(error, request) ?? new Problem('invalid', 'InvalidRequest', 'The request is malformed.'))
      },
    })
    const fastify = this.getInstance()
    this.alias = alias
    this.addressOf = clientAddresses(env.TRUSTED_PROXIES)
    registerBodyParser(fastify)
    fastify.addHook('onRequest', (request, _reply, done) => {
      closeGently(request.raw)
      done()
    })
    fastify.addHook('onRoute', (route) => this.collect(route))
    fastify.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      endWithProblem(socket, new Problem('method-not-allowed', 'MethodNotAllowed', 'This server is not a proxy.'), {
        allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      })
    })
    fastify.server.on('checkExpectation', handleExpectation)
    this.connections = new OpenConnections(fastify.server)
    this.tls = tls
    if (tls) keepSecure(fastify.server, tls, logger)
  }

  /** The adapter of a service that `bootService` started. */
  static of(app: INestApplication): HttpAdapter {
    const adapter: unknown = app.getHttpAdapter()
    if (adapter instanceof HttpAdapter) return adapter
    throw new Error('The service was not started by bootService.')
  }

  track(tracking: RequestTracking): void {
    this.tracking = tracking
    tracking.register(this.getInstance())
  }

  /**
   * Adds a fast path: requests that `find` returns a reply for bypass Fastify, whose lifecycle can cost more than the reply. They leave
   * no log line, metric or activity record, so `find` must return nothing for unusual requests and while the service stops.
   */
  addFastPath(find: (request: IncomingMessage, url: string) => FastPathReply | undefined): void {
    const { server } = this.getInstance()
    const listeners = server.listeners('request')
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const reply = headProblem(request) ? undefined : find(request, this.routedPath(request))
      if (reply) this.replyNow(request, response, reply)
      else for (const listener of listeners) listener.call(server, request, response)
    })
  }

  private replyNow(request: IncomingMessage, response: ServerResponse, reply: FastPathReply): void {
    const { socket } = request
    this.connections.begin(socket)
    response.once('close', () => this.connections.end(socket))
    reply(response, ['x-request-id', requestIdOf(request), 'x-content-type-options', 'nosniff', 'cache-control', 'no-store'])
  }

  /** Errors reach the ProblemFilter as they were thrown. */
  override mapException(error: unknown): unknown {
    return error
  }

  override setNotFoundHandler() {
    return this.getInstance().setNotFoundHandler(handleUnrouted)
  }

  private collect({ method, url, config }: RouteOptions): void {
    const path = url.replace(/:(\w+)/g, '{$1}')
    if (config?.internal) return
    for (const each of [method].flat()) if (each !== 'HEAD' && each !== 'OPTIONS') this.routes.push({ method: each, path })
  }

  private routedPath({ url = '/' }: IncomingMessage): string {
    const { BASE_PATH } = this.env
    return this.alias(withoutBasePath(url, BASE_PATH, this.pathsUnder(BASE_PATH)))
  }

  private pathsUnder(basePath: string): ReadonlySet<string> {
    // Computed at the first request, when every route is registered.
    this.ownPaths ??= new Set(this.routes.map(({ path }) => path).filter((path) => path === basePath || path.startsWith(`${basePath}/`)))
    return this.ownPaths
  }
}

/** The API routes that a service serves, to compare with its OpenAPI document. */
export function servedRoutes(app: NestFastifyApplication): readonly Route[] {
  return HttpAdapter.of(app).routes
}

function serverOptions({ TRUSTED_PROXIES }: HttpEnv, logger: Logger, tls: TlsFiles | undefined): FastifyHttpOptions<Server> {
  const http = {
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: LIMITS.headersMs,
    connectionsCheckingInterval: LIMITS.checkMs,
    // Checked by the request tracking instead, which answers with a Problem.
    requireHostHeader: false,
  }
  return {
    ...(tls ? { https: { ...http, ...serverTlsOptions(tls) } } : { http }),
    requestTimeout: LIMITS.requestMs,
    connectionTimeout: LIMITS.idleMs,
    keepAliveTimeout: LIMITS.keepAliveMs,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LIMITS.parameterLength },
    trustProxy: TRUSTED_PROXIES,
    genReqId: requestIdOf,
    logController: new StreamErrorLog(logger),
    clientErrorHandler: handleClientError,
  }
}

class StreamErrorLog extends LogController {
  constructor(private readonly logger: Logger) {
    super({ disableRequestLogging: true })
  }

  /** The one error that no handler sees: a body that failed after its headers were sent. */
  override streamError(error: Error, request: FastifyRequest): void {
    const requestId = request.id
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') this.logger.error({ err: error, requestId }, 'a response failed after it had begun')
  }
}
