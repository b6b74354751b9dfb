import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import { pipeline } from 'node:stream'
import type { Deployment } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { answerHeaders, requestHeaders } from '@trestle/gateway/hop-headers'
import { answerWithProblem } from '@trestle/gateway/problem-answer'
import { onAbandoned, type RequestContext, sendAnswer } from '@trestle/gateway/request-context'
import { transportSecurity } from '@trestle/gateway/transport-security'
import { Problem } from '@trestle/problem/problem'
import type { Logger } from '@trestle/runtime/logger'
import { requestIdOf } from '@trestle/runtime/request'
import { admit } from './admission.js'
import { chainsPage, frontPage } from './front-page.js'
import type { Replicas } from './replicas.js'
import { type ForwardedRequest, requestService, type ServiceResponse, type Timeouts, type Tunnel } from './service.client.js'
import type { ServiceAgents } from './service-agents.engine.js'

export interface ForwardingOptions {
  /** By the name of the deployment. */
  upstreams: ReadonlyMap<string, Replicas>
  agents: ServiceAgents
  chains: readonly ServedChain[]
  deployments: readonly Deployment[]
  publicUrl?: string
  trusted: BlockList
  timeouts: Timeouts
  logger: Logger
}

export interface IngressRequest extends Pick<RequestContext, 'request' | 'response' | 'headers'> {
  readonly requestId: string
  /** The client's connection, when it asks for a WebSocket. */
  upgrade?: Tunnel
  /** The base path it was routed by. */
  route?: string
  /** Its connection ends with its answer: where the next request would begin is unknown. */
  isLast?: boolean
}

export function ingressRequest(request: IncomingMessage, response: ServerResponse, publicUrl?: string): IngressRequest {
  const requestId = requestIdOf(request)
  const headers = [...transportSecurity(publicUrl), 'cache-control', 'no-store', 'x-request-id', requestId]
  return { request, response, requestId, headers }
}

/** Sends a request on to its service, and begins to send the answer back. Never throws. */
export async function forward(options: ForwardingOptions, context: IngressRequest): Promise<void> {
  try {
    const deployment = admit(context.request, options.deployments)
    context.route = deployment?.basePath
    const replicas = deployment && options.upstreams.get(deployment.name)
    const chains = chainsPage(context.request, options)
    if (chains) sendPage(context, chains)
    else if (deployment && replicas)
      passOn(await requestService(upstreamRequestOf(options, context, deployment.name, replicas)), context, options)
    else answerAlone(options, context, deployment)
  } catch (error) {
    fail(error, context, options.logger)
  }
}

function upstreamRequestOf(
  { trusted, timeouts, agents }: ForwardingOptions,
  context: IngressRequest,
  service: string,
  replicas: Replicas,
): ForwardedRequest {
  const { request, response, requestId } = context
  const upgrade = context.upgrade !== undefined
  const headers = requestHeaders(request, { requestId, trusted, upgrade })
  return { incoming: request, service, replicas, agents, headers, upgrade, timeouts, signal: abandonSignal(request, response) }
}

/** Answers without a service: the front page while there is no console, or that nothing is deployed at this path. */
function answerAlone(options: ForwardingOptions, context: IngressRequest, deployment: Deployment | undefined): void {
  if (deployment && deployment.name !== 'console') {
    throw new Problem('unavailable', 'ServiceNotDeployed', `The service "${deployment.name}" is not deployed here.`)
  }
  const page = frontPage(context.request, options)
  if (!page) throw new Problem('unknown', 'UnknownPath', 'Nothing is served at this path.')
  sendPage(context, page)
}

function sendPage(context: IngressRequest, page: string): void {
  sendAnswer(context, { status: 200, type: 'application/json; charset=utf-8', body: [Buffer.from(page)] })
}

function passOn(
  { response: received, tunnel }: ServiceResponse,
  { response, requestId, upgrade }: IngressRequest,
  { publicUrl }: ForwardingOptions,
): void {
  const { statusCode = 502, statusMessage = '', rawHeaders } = received
  const headers = [...transportSecurity(publicUrl), ...answerHeaders(rawHeaders, requestId)]
  if (tunnel && upgrade) {
    response.writeHead(statusCode, statusMessage, [...headers, 'Connection', 'Upgrade', 'Upgrade', 'websocket'])
    response.flushHeaders()
    join(upgrade, tunnel)
    return
  }
  response.writeHead(statusCode, statusMessage, headers)
  // When either end breaks both are destroyed: a cut answer must not look like a whole one.
  pipeline(received, response, ignore)
  // The head is sent with the first chunk of the body, but does not wait for one that has not arrived.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders()
  })
}

function join(client: Tunnel, service: Tunnel): void {
  client.socket.write(service.head)
  service.socket.write(client.head)
  service.socket.setTimeout(0)
  pipeline(client.socket, service.socket, ignore)
  pipeline(service.socket, client.socket, ignore)
}

/** Aborted when the client is gone, and when it has the whole answer while it is still sending. */
function abandonSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  onAbandoned({ response }, () => controller.abort())
  response.once('finish', () => {
    if (request.complete) return
    controller.abort()
    // The next request on this connection comes after the rest of this body.
    request.unpipe()
    request.resume()
  })
  return controller.signal
}

function fail(error: unknown, context: IngressRequest, logger: Logger): void {
  const { response, requestId } = context
  if (response.destroyed || response.writableEnded) return
  const problem =
    error instanceof Problem ? error : new Problem('bad-upstream', 'BadGateway', 'The service gave no valid answer.', { cause: error })
  if (problem.status >= 500) logger.warn({ requestId, code: problem.code, err: problem.cause }, problem.detail)
  context.isLast = problem.headers.connection === 'close'
  answerWithProblem(context, problem)
}

function ignore(): void {}
