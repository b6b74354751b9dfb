import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem } from '@trestle/problem/problem'
import type { Metrics } from '@trestle/runtime/metrics'
import { carry, type Exchange, type Routes, requestIdOf } from './exchange.js'
import { letGo, refuse, sendProblem } from './problem-answer.js'
import type { Tunnel } from './upstream.js'

const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  // For the whole request, its body too.
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5000,
  // Longer than a load balancer in front of this keeps an idle connection.
  keepAliveTimeout: 65_000,
  keepAlive: true,
  // A missing Host is refused in our own words.
  requireHostHeader: false,
}

/** The public server, and what is going on in it. */
export class Door {
  readonly server: Server
  private stopping = false
  private readonly inFlight = new Set<Exchange>()
  /** Connections that end with the answer they are given: nothing more that comes on them is a request. */
  private readonly condemned = new WeakSet<Duplex>()

  constructor(
    private readonly routes: Routes,
    private readonly metrics: Metrics,
  ) {
    this.server = createServer({ ...LIMITS, shouldUpgradeCallback: isWebSocket })
    // Node drops headers beyond a number without a word; their size is limited already.
    this.server.maxHeadersCount = 0
    for (const event of ['request', 'checkExpectation'])
      this.server.on(event, (incoming, outgoing) => this.receive({ incoming, outgoing, requestId: requestIdOf(incoming) }))
    this.server.on('upgrade', (incoming, socket, head) => this.upgrade(incoming, { socket: socket as Socket, head }))
    this.server.on('connect', (_incoming, socket) => refuse(socket, noTunnels(), randomUUID()))
    this.server.on('clientError', (error, socket) => this.reject(error, socket))
  }

  /** Takes no more connections, lets requests finish until the deadline, and cuts what is left. */
  async close(deadlineMs: number): Promise<void> {
    const closed = once(this.server, 'close')
    this.stopping = true
    this.server.close()
    for (const { outgoing, upgrade } of this.inFlight) {
      outgoing.shouldKeepAlive = false
      // A WebSocket has no end to wait for; its client connects again.
      upgrade?.socket.destroy()
    }
    const deadline = setTimeout(() => this.cut(), deadlineMs)
    this.cutWhenQuiet()
    await closed
    clearTimeout(deadline)
  }

  private receive(exchange: Exchange): void {
    const { incoming, outgoing } = exchange
    if (this.condemned.has(incoming.socket)) return
    const startedAt = performance.now()
    this.inFlight.add(exchange)
    if (this.stopping) outgoing.shouldKeepAlive = false
    outgoing.once('close', () => {
      this.inFlight.delete(exchange)
      if (this.stopping) this.cutWhenQuiet()
      const labels = { method: incoming.method ?? '', route: exchange.route ?? 'none', status: outgoing.statusCode }
      this.metrics.requestDuration.observe(labels, (performance.now() - startedAt) / 1000)
    })
    void carry(this.routes, exchange)
    if (exchange.isLast) this.condemned.add(incoming.socket)
  }

  private upgrade(incoming: IncomingMessage, tunnel: Tunnel): void {
    const { socket } = tunnel
    const outgoing = new ServerResponse(incoming)
    outgoing.shouldKeepAlive = false
    outgoing.assignSocket(socket)
    // What Node does for the answers of a connection that it still reads itself.
    socket.on('error', () => socket.destroy())
    socket.on('drain', () => outgoing.emit('drain'))
    outgoing.once('finish', () => letGo(socket.end()))
    this.receive({ incoming, outgoing, requestId: requestIdOf(incoming), upgrade: tunnel })
  }

  /** What the parser or a time limit refused. */
  private reject(error: NodeJS.ErrnoException, socket: Duplex): void {
    // The parser reports what still arrives after its first error, too.
    if (this.condemned.has(socket)) return
    this.condemned.add(socket)
    const current = [...this.inFlight].findLast(({ incoming }) => incoming.socket === socket)
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else if (!current) refuse(socket, refusalOf(error), randomUUID())
    else if (current.incoming.complete) endAfter(current)
    else if (current.outgoing.headersSent) socket.destroy()
    else {
      current.outgoing.shouldKeepAlive = false
      sendProblem(current.outgoing, refusalOf(error), current.requestId)
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

/** What came after a whole request takes nothing from its answer; but it is the last one on its connection. */
function endAfter({ incoming, outgoing }: Exchange): void {
  outgoing.shouldKeepAlive = false
  outgoing.once('close', () => letGo(incoming.socket.end()))
}

/** Any other protocol is not ours to offer: such a request is answered as if it had not asked (RFC 9110 section 7.8). */
function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

function noTunnels(): Problem {
  return new Problem('method-not-allowed', 'MethodNotAllowed', 'This is not a forward proxy.')
}

function refusalOf({ code }: NodeJS.ErrnoException): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers-too-large', 'HeadersTooLarge', 'The request line and headers are larger than 16 KiB.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem('too-large', 'BodyTooLarge', 'The extensions of a chunk are larger than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('timeout', 'RequestTimeout', 'The request did not come in time.')
  return new Problem('invalid', 'MalformedRequest', 'The request is not well-formed HTTP.')
}
