import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import { pipeline } from 'node:stream'
import type { Deployment } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { Problem } from '@trestle/problem/problem'
import type { Logger } from '@trestle/runtime/logger'
import { admit } from './admission.js'
import { chainsPage, frontPage } from './front-page.js'
import { answerHeaders, requestHeaders } from './headers.js'
import { sendProblem } from './problem-answer.js'
import type { Replicas } from './replicas.js'
import { type Answer, ask, type Question, type Timeouts, type Tunnel } from './upstream.js'

export interface Routes {
  /** By the name of the deployment. */
  upstreams: ReadonlyMap<string, Replicas>
  chains: readonly ServedChain[]
  deployments: readonly Deployment[]
  publicUrl?: string
  trusted: BlockList
  timeouts: Timeouts
  logger: Logger
}

export interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  requestId: string
  /** The client's connection, when it asks for a WebSocket. */
  upgrade?: Tunnel
  /** The base path it was routed by. */
  route?: string
  /** Its connection ends with its answer: nobody knows where the next request would begin. */
  isLast?: boolean
}

/** A client's id for its request, if it is one that services take over as well; otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID()
}

/** Carries one request to its service and begins to carry the answer back. Never throws. */
export async function carry(routes: Routes, exchange: Exchange): Promise<void> {
  try {
    const deployment = admit(exchange.incoming, routes.deployments)
    exchange.route = deployment?.basePath
    const replicas = deployment && routes.upstreams.get(deployment.name)
    const chains = chainsPage(exchange.incoming, routes)
    if (chains) answerPage(chains, exchange)
    else if (deployment && replicas) passOn(await ask(questionOf(routes, exchange, deployment.name, replicas)), exchange)
    else answerAlone(routes, exchange, deployment)
  } catch (error) {
    fail(error, exchange, routes.logger)
  }
}

function questionOf({ trusted, timeouts }: Routes, exchange: Exchange, service: string, replicas: Replicas): Question {
  const { incoming, outgoing, requestId } = exchange
  const upgrade = exchange.upgrade !== undefined
  const headers = requestHeaders(incoming, { requestId, trusted, upgrade })
  return { incoming, service, replicas, headers, upgrade, timeouts, signal: abandonment(incoming, outgoing) }
}

/** What the door says by itself: the front page while there is no console, or that nothing stands behind it. */
function answerAlone(routes: Routes, exchange: Exchange, deployment: Deployment | undefined): void {
  if (deployment && deployment.name !== 'console') {
    throw new Problem('unavailable', 'ServiceNotDeployed', `The service "${deployment.name}" is not deployed here.`)
  }
  const page = frontPage(exchange.incoming, routes)
  if (!page) throw new Problem('unknown', 'UnknownPath', 'Nothing is served at this path.')
  answerPage(page, exchange)
}

function answerPage(page: string, { outgoing, requestId }: Exchange): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(page),
    'x-request-id': requestId,
  }
  outgoing.writeHead(200, headers).end(page)
}

function passOn({ response, tunnel }: Answer, { outgoing, requestId, upgrade }: Exchange): void {
  const { statusCode = 502, statusMessage = '', rawHeaders } = response
  const headers = answerHeaders(rawHeaders, requestId)
  if (tunnel && upgrade) {
    outgoing.writeHead(statusCode, statusMessage, [...headers, 'Connection', 'Upgrade', 'Upgrade', 'websocket'])
    outgoing.flushHeaders()
    join(upgrade, tunnel)
    return
  }
  outgoing.writeHead(statusCode, statusMessage, headers)
  // When either end breaks both are destroyed: a cut answer must not look like a whole one.
  pipeline(response, outgoing, ignore)
  // The head travels with the first piece of the body, but does not wait for a piece that is not here yet.
  setImmediate(() => {
    if (!outgoing.writableEnded && !outgoing.destroyed) outgoing.flushHeaders()
  })
}

function join(client: Tunnel, service: Tunnel): void {
  client.socket.write(service.head)
  service.socket.write(client.head)
  service.socket.setTimeout(0)
  pipeline(client.socket, service.socket, ignore)
  pipeline(service.socket, client.socket, ignore)
}

/** Aborted when the client is gone, and when it has its whole answer while it still sends. */
function abandonment(incoming: IncomingMessage, outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  outgoing.once('finish', () => {
    if (incoming.complete) return
    controller.abort()
    // The next request on this connection comes after the rest of this body.
    incoming.unpipe()
    incoming.resume()
  })
  return controller.signal
}

function fail(error: unknown, exchange: Exchange, logger: Logger): void {
  const { outgoing, requestId } = exchange
  if (outgoing.destroyed || outgoing.writableEnded) return
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const problem =
    error instanceof Problem ? error : new Problem('bad-upstream', 'BadGateway', 'The service gave no valid answer.', { cause: error })
  if (problem.status >= 500) logger.warn({ requestId, code: problem.code, err: problem.cause }, problem.detail)
  exchange.isLast = problem.headers.connection === 'close'
  sendProblem(outgoing, problem, requestId)
}

function ignore(): void {}
