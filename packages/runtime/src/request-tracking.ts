import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { trace } from '@opentelemetry/api'
import { recordingOf } from '@trestle/contracts/endpoint'
import { Problem, retryAfter } from '@trestle/problem/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ActivitySink, activityOf } from './activity.js'
import { currentTraceId, type Logger } from './logger.js'
import type { Metrics } from './metrics.js'
import type { OpenConnections } from './open-connections.js'
import type { Readiness } from './readiness.js'
import { clientAddressOf, requestIds } from './request.js'
import {
  type AttemptedName,
  FailureLimit,
  isSuccessStored,
  type SecurityEventSink,
  securityEventOf,
  serveAudited,
} from './security-trail.js'
import { handleUnrouted } from './unrouted.js'

interface Observers {
  service: string
  logger: Logger
  metrics: Metrics
  readiness: Readiness
  connections: OpenConnections
  /** Absent in a service without activity records. */
  sink: ActivitySink | undefined
  /** Absent in a service without a security log. */
  securitySink: SecurityEventSink | undefined
  attemptedName: AttemptedName | undefined
}

/**
 * Follows every request from its head to its last byte: id, common response headers, log line, metrics and activity record.
 * Fastify hooks rather than Nest interceptors: they also see raw routes, refusals by guards and the bytes as sent.
 */
export class RequestTracking {
  private readonly failureLimit = new FailureLimit()

  constructor(private readonly to: Observers) {}

  register(fastify: FastifyInstance): void {
    fastify.decorateRequest('caller', undefined)
    fastify.decorateRequest('serviceData', undefined)
    fastify.decorateRequest('formProblem', undefined)
    fastify.decorateRequest('startedAt', 0)
    fastify.decorateRequest('bytesOut', 0)
    fastify.decorateRequest('clientAddress', '')
    fastify.decorateRequest('problemCode', undefined)
    fastify.decorateRequest('traceId', undefined)
    fastify.addHook('onRequest', (request, reply, done) => {
      this.begin(request, reply)
      const problem = headProblem(request.raw)
      if (problem) return done(problem)
      // Without this the body of a request to an unknown route would be read first.
      if (request.is404) return void handleUnrouted(request, reply)
      requestIds.run(request.id, () => serveAudited(request, this.to, done))
    })
    fastify.addHook('onSend', (request, reply, payload, done) => {
      this.measure(request, reply, payload)
      const records = this.durableRecords(request, reply)
      if (records.length === 0) return done()
      Promise.all(records.map((record) => this.recordDurably(request, record))).then(() => done(), done)
    })
  }

  begin(request: FastifyRequest, reply: FastifyReply): void {
    request.startedAt = Date.now()
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    // By default nothing may be cached; a response that may be says so itself.
    reply.header('cache-control', 'no-store')
    if (this.to.readiness.stopping) reply.header('connection', 'close')
    nameSpan(request)
    request.traceId = currentTraceId()
    request.clientAddress = clientAddressOf(request)
    const { socket } = request.raw
    this.to.connections.begin(socket)
    // Fastify's onResponse does not run when the client disconnects early.
    reply.raw.once('close', () => {
      this.to.connections.end(socket)
      this.end(request, reply)
    })
  }

  private measure(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    if (request.method === 'HEAD') return
    if (typeof payload === 'string') request.bytesOut = Buffer.byteLength(payload)
    else if (Buffer.isBuffer(payload)) request.bytesOut = payload.length
    else if (payload != null) countWrites(request, reply)
  }

  private end(request: FastifyRequest, reply: FastifyReply): void {
    if (request.routeOptions.config.quiet) return
    const { method, id: requestId, bytesOut: bytes, traceId, problemCode: code } = request
    const route = request.routeOptions.url ?? 'unrouted'
    const status = reply.raw.statusCode
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const aborted = reply.raw.writableFinished ? undefined : true
    const who = { user: request.caller?.userId, clientAddress: request.clientAddress }
    this.to.logger.info({ method, route, status, code, ms, bytes, requestId, traceId, ...who, aborted }, 'request')
    this.to.metrics.requestDuration.labels(method, route, String(status)).observe(reply.elapsedTime / 1000)
    if (recordingFor(request, reply) === 'batched') void this.recordBatched(request, reply)
  }

  /** What has to be stored before the response is sent. */
  private durableRecords(request: FastifyRequest, reply: FastifyReply): DurableRecord[] {
    const activity = recordingFor(request, reply) === 'durable' ? this.activityOf(request, reply) : undefined
    const { sink, metrics } = this.to
    const records = activity && sink ? [{ store: () => sink.record(activity, 'durable'), lost: metrics.activityLost }] : []
    return [...records, ...this.securityRecords(request, reply)]
  }

  /** A failure changed nothing: the response does not wait for its record. */
  private securityRecords(request: FastifyRequest, reply: FastifyReply): DurableRecord[] {
    const { securitySink, metrics } = this.to
    const event = securitySink && securityEventOf(request, reply, this.to)
    if (!event) return []
    metrics.securityEvents.labels(event.kind, event.outcome).inc()
    const lost = metrics.securityEventsLost.labels('storage')
    if (event.outcome === 'success') return isSuccessStored() ? [] : [{ store: () => securitySink.record(event), lost }]
    if (this.failureLimit.admits(event.clientAddress, Date.now())) {
      securitySink.record(event).catch((error: unknown) => this.lost(request, error, lost))
    } else metrics.securityEventsLost.labels('flood').inc()
    return []
  }

  /** A change is acknowledged once its record is stored: waits a moment for a database that restarts. */
  private async recordDurably(request: FastifyRequest, { store, lost }: DurableRecord): Promise<void> {
    const deadline = Date.now() + RECORD_TIMEOUT_MS
    for (;;) {
      try {
        return await store()
      } catch (error) {
        if (Date.now() < deadline) await delay(RETRY_MS)
        else throw this.lost(request, error, lost)
      }
    }
  }

  private async recordBatched(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const activity = this.activityOf(request, reply)
    try {
      await (activity && this.to.sink?.record(activity, 'batched'))
    } catch (error) {
      this.lost(request, error, this.to.metrics.activityLost)
    }
  }

  private activityOf(request: FastifyRequest, reply: FastifyReply) {
    const { caller } = request
    return caller && activityOf({ request, status: reply.statusCode, service: this.to.service, caller, now: new Date() })
  }

  private lost(request: FastifyRequest, error: unknown, counter: DurableRecord['lost']): Problem {
    counter.inc()
    this.to.logger.error({ err: error, requestId: request.id }, 'a record of a request was lost')
    return new Problem(
      'unavailable',
      'ActivityNotRecorded',
      'The request took effect but could not be recorded. Check its effect before you retry.',
      {
        headers: retryAfter(1),
      },
    )
  }
}

interface DurableRecord {
  readonly store: () => Promise<void> | void
  readonly lost: { inc(): void }
}

const RECORD_TIMEOUT_MS = 3000
const RETRY_MS = 200

/** Where tracing is on, the span of the HTTP server is the active one here. */
function nameSpan({ method, routeOptions: { url = 'unrouted' } }: FastifyRequest): void {
  trace.getActiveSpan()?.updateName(`${method} ${url}`).setAttribute('http.route', url)
}

/** What is wrong with a request line or header that Node accepts. */
export function headProblem(raw: IncomingMessage): Problem | undefined {
  // RFC 9112 section 3.2: exactly one Host.
  if (hostsOf(raw.rawHeaders) !== 1 && !(raw.httpVersionMinor === 0 && raw.headers.host === undefined)) {
    return new Problem('invalid', 'InvalidRequest', 'A request must have one Host header.', { headers: { connection: 'close' } })
  }
  const url = raw.url ?? ''
  // PostgreSQL cannot store it in text, and no path or query of ours needs it.
  if (url.includes('%00')) return new Problem('invalid', 'InvalidPath', 'The path or query contains a NUL character.')
  return url.length > MAX_URL_LENGTH ? new Problem('too-long', 'PathTooLong', 'The path and query are too long.') : undefined
}

const MAX_URL_LENGTH = 8192

function hostsOf(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

/** A refused request changed nothing: its record may be batched. */
function recordingFor(request: FastifyRequest, reply: FastifyReply): 'durable' | 'batched' | 'none' {
  if (!request.caller) return 'none'
  const { endpoint, recording = endpoint ? recordingOf(endpoint) : 'none' } = request.routeOptions.config
  return recording === 'durable' && reply.statusCode >= 400 ? 'batched' : recording
}

/** A stream's length is known only by counting what is written. */
function countWrites(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply
  const write = raw.write.bind(raw)
  raw.write = ((chunk: string | Uint8Array, ...rest: []) => {
    request.bytesOut += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length
    return write(chunk, ...rest)
  }) as typeof raw.write
}
