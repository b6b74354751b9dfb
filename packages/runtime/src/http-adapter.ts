import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { INestApplication } from '@nestjs/common'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Problem } from '@trestle/problem/problem'
import { type FastifyHttpOptions, type FastifyReply, type FastifyRequest, LogController, type RouteOptions } from 'fastify'
import { withoutBasePath } from './base-path.js'
import { registerBodyParser } from './body-parser.js'
import { answerClientError, answerExpectation, refuse } from './client-error.js'
import type { ServiceEnv } from './env.js'
import type { Logger } from './logger.js'
import { OpenConnections } from './open-connections.js'
import { frameworkProblem, sendProblem } from './problem.filter.js'
import { requestIdOf } from './request.js'
import { headProblem, type RequestTracking } from './request-tracking.js'
import { answerUnrouted } from './unrouted.js'

/** How much a client may send, and how slowly; RFC 9110 leaves these to the server. */
const LIMITS = {
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  parameterLength: 8192,
  headersMs: 10_000,
  requestMs: 30_000,
  /** A connection on which nothing moves in either direction: a reader that does not read. */
  silenceMs: 60_000,
  /** Longer than the 60 s for which common load balancers keep a connection, so that it is never us who close it first. */
  keepAliveMs: 72_000,
  timerMs: 1000,
}

export interface Route {
  method: string
  /** In OpenAPI's form. */
  path: string
}

type HttpEnv = Pick<ServiceEnv, 'BASE_PATH' | 'TRUSTED_PROXIES'>

/** Answers a request; the headers are those that every answer has, names and values in turn. */
export type DirectAnswer = (response: ServerResponse, headers: string[]) => void

/** Nest's Fastify adapter with this platform's limits, parsers and answers to what no route takes. */
export class HttpAdapter extends FastifyAdapter {
  readonly connections: OpenConnections
  readonly routes: Route[] = []
  private tracking?: RequestTracking
  private ownPaths?: ReadonlySet<string>

  constructor(
    private readonly env: HttpEnv,
    logger: Logger,
    private readonly alias: (url: string) => string = (url) => url,
  ) {
    super({
      ...serverOptions(env, logger),
      skipMiddie: true,
      rewriteUrl: (request: IncomingMessage) => this.routedBy(request),
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        // Hooks do not run for a path that cannot be decoded.
        this.tracking?.begin(request, reply)
        sendProblem(reply, frameworkProblem(error) ?? new Problem('invalid', 'InvalidRequest', 'The request is malformed.'))
      },
    })
    const fastify = this.getInstance()
    registerBodyParser(fastify)
    fastify.addHook('onRoute', (route) => this.collect(route))
    fastify.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      refuse(socket, new Problem('method-not-allowed', 'MethodNotAllowed', 'This is no proxy.'), {
        allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      })
    })
    fastify.server.on('checkExpectation', answerExpectation)
    this.connections = new OpenConnections(fastify.server)
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
   * Requests that `find` finds an answer for are answered without Fastify, whose lifecycle costs more than some answers do. They leave no
   * log line, no metric and no record, and are not for a service that stops: whoever finds is to know that nothing about them is unusual.
   */
  answerDirectly(find: (request: IncomingMessage, url: string) => DirectAnswer | undefined): void {
    const { server } = this.getInstance()
    const others = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const answer = headProblem(request) ? undefined : find(request, this.routedBy(request))
      if (answer) this.answerNow(request, response, answer)
      else for (const listener of others) listener(request, response)
    })
  }

  private answerNow(request: IncomingMessage, response: ServerResponse, answer: DirectAnswer): void {
    const { socket } = request
    this.connections.begin(socket)
    response.once('close', () => this.connections.end(socket))
    answer(response, ['x-request-id', requestIdOf(request), 'x-content-type-options', 'nosniff', 'cache-control', 'no-store'])
  }

  /** Errors reach the ProblemFilter as they were thrown. */
  override mapException(error: unknown): unknown {
    return error
  }

  override setNotFoundHandler() {
    return this.getInstance().setNotFoundHandler(answerUnrouted)
  }

  private collect({ method, url, config }: RouteOptions): void {
    const path = url.replace(/:(\w+)/g, '{$1}')
    if (config?.internal) return
    for (const each of [method].flat()) if (each !== 'HEAD' && each !== 'OPTIONS') this.routes.push({ method: each, path })
  }

  private routedBy({ url = '/' }: IncomingMessage): string {
    const { BASE_PATH } = this.env
    return this.alias(withoutBasePath(url, BASE_PATH, this.pathsUnder(BASE_PATH)))
  }

  private pathsUnder(basePath: string): ReadonlySet<string> {
    // Asked at the first request, when every route is known.
    this.ownPaths ??= new Set(this.routes.map(({ path }) => path).filter((path) => path === basePath || path.startsWith(`${basePath}/`)))
    return this.ownPaths
  }
}

/** The routes of the API a service really serves, to be held against its OpenAPI document. */
export function servedRoutes(app: NestFastifyApplication): readonly Route[] {
  return HttpAdapter.of(app).routes
}

function serverOptions({ TRUSTED_PROXIES }: HttpEnv, logger: Logger): FastifyHttpOptions<Server> {
  return {
    http: {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersMs,
      connectionsCheckingInterval: LIMITS.timerMs,
      // Checked by the tracking instead, whose answer is a problem.
      requireHostHeader: false,
    },
    requestTimeout: LIMITS.requestMs,
    connectionTimeout: LIMITS.silenceMs,
    keepAliveTimeout: LIMITS.keepAliveMs,
    bodyLimit: LIMITS.bodyBytes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LIMITS.parameterLength },
    trustProxy: TRUSTED_PROXIES,
    genReqId: requestIdOf,
    logController: new StreamErrorLog(logger),
    clientErrorHandler: answerClientError,
  }
}

class StreamErrorLog extends LogController {
  constructor(private readonly logger: Logger) {
    super({ disableRequestLogging: true })
  }

  /** The one error that no handler sees: a body that broke off after its headers were sent. */
  override streamError(error: Error, request: FastifyRequest): void {
    const requestId = request.id
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      this.logger.error({ err: error, requestId }, 'an answer broke off')
  }
}
