import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { answerWithProblem } from '@trestle/gateway/problem-answer'
import { upgradeResponse } from '@trestle/gateway/upgrade-response'
import { Problem } from '@trestle/problem/problem'
import { endWithProblem, linger, parserProblem } from '@trestle/runtime/client-error'
import type { Metrics } from '@trestle/runtime/metrics'
import { type ForwardingOptions, forward, type IngressRequest, ingressRequest } from './forwarding.engine.js'

const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  // For the whole request, its body too.
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5000,
  // Longer than a load balancer in front keeps an idle connection.
  keepAliveTimeout: 65_000,
  keepAlive: true,
  // A missing Host is refused with a problem.
  requireHostHeader: false,
}

/** The public server, and the requests under way in it. */
export class IngressServer {
  readonly server: Server
  private stopping = false
  private readonly inFlight = new Set<IngressRequest>()
  /** Connections that end with their current answer: whatever else arrives on them is no request. */
  private readonly ending = new WeakSet<Duplex>()

  constructor(
    private readonly options: ForwardingOptions,
    private readonly metrics: Metrics,
  ) {
    const { publicUrl } = options
    this.server = createServer({ ...LIMITS, shouldUpgradeCallback: isWebSocket })
    // Node silently drops headers beyond a number; their size is limited already.
    this.server.maxHeadersCount = 0
    for (const event of ['request', 'checkExpectation'])
      this.server.on(event, (request, response) => this.receive(ingressRequest(request, response, publicUrl)))
    this.server.on('upgrade', (request: IncomingMessage, socket: Socket, head) =>
      this.receive({ ...ingressRequest(request, upgradeResponse(request, socket), publicUrl), upgrade: { socket, head } }),
    )
    this.server.on('connect', (_request, socket) => endWithProblem(socket, noTunnels()))
    this.server.on('clientError', (error, socket) => this.reject(error, socket))
  }

  /** Takes no more connections, lets requests finish until the deadline, and cuts what is left. */
  async close(deadlineMs: number): Promise<void> {
    const closed = once(this.server, 'close')
    this.stopping = true
    this.server.close()
    for (const { response, upgrade } of this.inFlight) {
      response.shouldKeepAlive = false
      // A WebSocket has no end to wait for; its client reconnects.
      upgrade?.socket.destroy()
    }
    const deadline = setTimeout(() => this.cut(), deadlineMs)
    this.cutWhenQuiet()
    await closed
    clearTimeout(deadline)
  }

  private receive(context: IngressRequest): void {
    const { request, response } = context
    if (this.ending.has(request.socket)) return
    const startedAt = performance.now()
    this.inFlight.add(context)
    if (this.stopping) response.shouldKeepAlive = false
    response.once('close', () => {
      this.inFlight.delete(context)
      if (this.stopping) this.cutWhenQuiet()
      const labels = { method: request.method ?? '', route: context.route ?? 'none', status: response.statusCode }
      this.metrics.requestDuration.observe(labels, (performance.now() - startedAt) / 1000)
    })
    void forward(this.options, context)
    if (context.isLast) this.ending.add(request.socket)
  }

  /** What the parser or a time limit refused. */
  private reject(error: NodeJS.ErrnoException, socket: Duplex): void {
    // The parser reports what still arrives after its first error, too.
    if (this.ending.has(socket)) return
    this.ending.add(socket)
    const current = [...this.inFlight].findLast(({ request }) => request.socket === socket)
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else if (!current) endWithProblem(socket, refusalOf(error))
    else if (current.request.complete) endAfter(current)
    else if (current.response.headersSent) socket.destroy()
    else {
      current.response.shouldKeepAlive = false
      answerWithProblem(current, refusalOf(error))
    }
  }

  private cutWhenQuiet(): void {
    if (this.inFlight.size === 0) setImmediate(() => this.cut())
  }

  private cut(): void {
    for (const { upgrade } of this.inFlight) upgrade?.socket.destroy()
    this.server.closeAllConnections()
  }
}

/** A complete request keeps its answer, whatever came after it; but it is the last one on its connection. */
function endAfter({ request, response }: IngressRequest): void {
  response.shouldKeepAlive = false
  response.once('close', () => linger(request.socket.end()))
}

/** Any other upgrade is ignored (RFC 9110 section 7.8). */
function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

function noTunnels(): Problem {
  return new Problem('method-not-allowed', 'MethodNotAllowed', 'This is not a forward proxy.')
}

function refusalOf(error: NodeJS.ErrnoException): Problem {
  return parserProblem(error) ?? new Problem('invalid', 'MalformedRequest', 'The request is not well-formed HTTP.')
}
