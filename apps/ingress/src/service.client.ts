import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { hasBody } from '@trestle/gateway/hop-headers'
import { Problem, retryAfter } from '@trestle/problem/problem'
import type { Replicas } from './replicas.js'
import type { Agents, ServiceAgents } from './service-agents.engine.js'

export interface Timeouts {
  connectMs: number
  /** No byte either way for so long ends the request. */
  idleMs: number
}

export interface ForwardedRequest {
  incoming: IncomingMessage
  /** The deployment's name. */
  service: string
  replicas: Replicas
  agents: ServiceAgents
  headers: readonly string[]
  upgrade: boolean
  timeouts: Timeouts
  /** Aborted when the client is gone. */
  signal: AbortSignal
}

/** A connection that is no longer HTTP, and the bytes already read from it. */
export interface Tunnel {
  socket: Socket
  head: Buffer
}

export interface ServiceResponse {
  response: IncomingMessage
  /** After 101. */
  tunnel?: Tunnel
}

// RFC 9110 section 9.2.2: only idempotent requests may be repeated automatically.
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** No service refuses a body for its size before it has read so much. */
const SMALL_BODY_BYTES = 16 * 1024

/** A request on a new connection, or on one that was kept. */
interface OpenRequest {
  readonly outgoing: ClientRequest
  readonly origin: URL
}

/** Sends the request on and waits for the head of the answer. */
export async function requestService(request: ForwardedRequest): Promise<ServiceResponse> {
  const first = await connect(request, request.upgrade ? 'fresh' : 'pooled')
  return answerOrRepeat(request, first, request.replicas.count > 1)
}

async function answerOrRepeat(request: ForwardedRequest, { outgoing, origin }: OpenRequest, mayMove: boolean): Promise<ServiceResponse> {
  const bytesBefore = outgoing.socket?.bytesRead
  try {
    return await answerTo(request, outgoing)
  } catch (error) {
    const isUnanswered = isReset(error) && outgoing.socket?.bytesRead === bytesBefore && isRepeatable(request.incoming)
    // A kept connection may die just as it is used again: the request was not read.
    if (isUnanswered && outgoing.reusedSocket) return answerOrRepeat(request, await connect(request, 'fresh'), mayMove)
    if (!isUnanswered || !mayMove) throw failure(request, error)
  }
  // A new one dies with a replica that has just stopped listening: another is tried, once.
  request.replicas.rest(origin, Date.now())
  return answerOrRepeat(request, await connect(request, 'fresh'), false)
}

/** A connection to the first replica that takes one; none of the request is sent before, so trying the next is safe. */
async function connect(request: ForwardedRequest, kind: keyof Agents): Promise<OpenRequest> {
  const { replicas, service, signal } = request
  let cause: unknown
  for (const origin of replicas.inOrder(Date.now())) {
    try {
      return { outgoing: await open(request, origin, kind), origin }
    } catch (error) {
      if (signal.aborted) throw error
      replicas.rest(origin, Date.now())
      cause = error
    }
  }
  throw new Problem('unavailable', 'ServiceUnavailable', `The service "${service}" does not answer now.`, { cause, headers: retryAfter(1) })
}

function open(
  { incoming, replicas, agents, headers, signal, timeouts }: ForwardedRequest,
  origin: URL,
  kind: keyof Agents,
): Promise<ClientRequest> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientRequest>()
  const { protocol, port } = origin
  const host = origin.hostname.replace(/^\[|\]$/g, '')
  const outgoing = request({
    agent: agents.of(origin)[kind],
    protocol,
    host,
    // Left out, it would be the client's Host that the certificate has to be for.
    ...(protocol === 'https:' && { servername: isIP(host) ? '' : host }),
    port,
    method: incoming.method,
    path: incoming.url,
    headers,
    setHost: false,
    signal,
  })
  const timer = setTimeout(() => outgoing.destroy(new Error(`no connection after ${timeouts.connectMs} ms`)), timeouts.connectMs)
  outgoing.on('error', reject)
  outgoing.once('socket', (socket) => {
    if (socket.connecting) socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => resolve(outgoing))
    else resolve(outgoing)
  })
  outgoing.once('response', (response) => {
    if (kind === 'pooled' && response.headers.connection === 'close') replicas.rest(origin, Date.now())
  })
  return promise.finally(() => clearTimeout(timer))
}

function answerTo(request: ForwardedRequest, outgoing: ClientRequest): Promise<ServiceResponse> {
  const { incoming, upgrade, timeouts } = request
  const { promise, resolve, reject } = Promise.withResolvers<ServiceResponse>()
  outgoing.once('response', (response) => {
    // The service reads no more: the rest of the body would meet a closed connection, and its error take the answer away.
    if (isRefusal(response)) incoming.unpipe()
    resolve({ response })
  })
  if (upgrade) outgoing.once('upgrade', (response, socket, head) => resolve({ response, tunnel: { socket, head } }))
  outgoing.on('error', reject)
  // Without any other event: an unrequested 101.
  outgoing.once('close', () => reject(new Error('closed without an answer')))
  outgoing.setTimeout(timeouts.idleMs, () => {
    outgoing.destroy(timeoutProblem(request))
  })
  if (!hasBody(incoming) || upgrade) outgoing.end()
  else if (Number(incoming.headers['content-length']) <= SMALL_BODY_BYTES) incoming.pipe(outgoing)
  else incoming.pipe(answersFirst()).pipe(outgoing)
  return promise
}

function isRefusal({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 400 && headers.connection === 'close'
}

/**
 * Passes a body on one turn of the event loop later: what the service has answered by then is read before the next part is written.
 * A write to a connection that the service has closed discards what was not read.
 */
function answersFirst(): Transform {
  return new Transform({ transform: (part, _, done) => void setImmediate(done, null, part) })
}

function isRepeatable(incoming: IncomingMessage): boolean {
  return IDEMPOTENT.has(incoming.method ?? '') && !hasBody(incoming)
}

function isReset(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'EPIPE'
}

function timeoutProblem({ incoming, service }: ForwardedRequest): Problem {
  // It is the client's fault while part of its body is missing.
  if (!incoming.complete) return new Problem('timeout', 'RequestTimeout', 'The rest of the body did not come in time.')
  return new Problem('upstream-timeout', 'UpstreamTimeout', `The service "${service}" took too long to answer.`)
}

function failure({ service }: ForwardedRequest, error: unknown): unknown {
  if (error instanceof Problem) return error
  return new Problem('bad-upstream', 'BadGateway', `The service "${service}" gave no valid answer.`, { cause: error })
}
