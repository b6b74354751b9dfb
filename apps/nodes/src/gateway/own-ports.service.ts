import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Injectable } from '@nestjs/common'
import { answerClientError, answerExpectation } from '@trestle/runtime/client-error'
import { Logger } from '@trestle/runtime/logger'
import { GatewayMetrics } from './gateway-metrics.service.js'
import { LiveWorkloadsRepository } from './live-workloads.repository.js'

interface Opened {
  readonly port: number
  readonly server: Server
}

const HOST = '127.0.0.1'
// Those of the public port.
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  requireHostHeader: false,
}
const SILENCE_MS = 60_000
const STOP_MS = 2_500

/** The ports of holdings that have one of their own: there `/` is what `/rpc/<id>` is on the public port. */
@Injectable()
export class OwnPorts {
  readonly #opened = new Map<string, Opened>()
  readonly #taken = new Set<number>()
  #listener: RequestListener | undefined

  constructor(
    private readonly repository: LiveWorkloadsRepository,
    private readonly metrics: GatewayMetrics,
    private readonly logger: Logger,
  ) {}

  /** Whoever answers on the public port answers here too. */
  use(listener: RequestListener): void {
    this.#listener = listener
  }

  /** Opens and closes, until those are open that are to be. */
  async keep(): Promise<void> {
    const wanted = await this.repository.listPorts()
    for (const [id, { port }] of this.#opened) if (wanted.get(id) !== port) this.closeOne(id)
    for (const [id, port] of wanted) if (!this.#opened.has(id)) await this.open(id, port)
    const ports = new Set(wanted.values())
    for (const port of this.#taken) if (!ports.has(port)) this.#taken.delete(port)
    this.metrics.portsTaken = this.#taken.size
  }

  /** Ends when the calls that are under way have, or after a moment. */
  async close(): Promise<void> {
    const servers = [...this.#opened.values()].map(({ server }) => server)
    for (const id of this.#opened.keys()) this.closeOne(id)
    const timer = setTimeout(() => {
      for (const server of servers) server.closeAllConnections()
    }, STOP_MS)
    await Promise.all(servers.map((server) => once(server, 'close')))
    clearTimeout(timer)
  }

  private async open(id: string, port: number): Promise<void> {
    const server = createServer(LIMITS, (request, response) => {
      ledTo(id, request)
      this.#listener?.(request, response)
    })
    server.setTimeout(SILENCE_MS)
    server.on('clientError', (error, socket) => answerClientError(error, socket as Socket))
    server.on('checkExpectation', answerExpectation)
    try {
      const listening = once(server, 'listening')
      server.listen(port, HOST)
      await listening
      this.#opened.set(id, { port, server })
      this.#taken.delete(port)
    } catch (error) {
      // Said once; it is tried again, for whoever has it may go.
      if (!this.#taken.has(port)) this.logger.error({ err: error, holding: id, port }, 'the port of a node is taken')
      this.#taken.add(port)
    }
  }

  private closeOne(id: string): void {
    const opened = this.#opened.get(id)
    this.#opened.delete(id)
    // Also closes the connections that idle; whoever is answered just now is answered.
    opened?.server.close()
  }
}

function ledTo(id: string, request: IncomingMessage): void {
  const { url = '/' } = request
  request.url = url === '/' ? `/rpc/${id}` : `/rpc/${id}${url.startsWith('/') ? url : '/-'}`
  // No proxy stands in front of these ports: whatever is said of one is made up.
  delete request.headers['x-forwarded-for']
}
