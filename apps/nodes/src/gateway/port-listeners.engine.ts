import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Injectable } from '@nestjs/common'
import { handleClientError, handleExpectation } from '@trestle/runtime/client-error'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Gauge } from 'prom-client'
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

/** Listens on the ports of workloads that have one of their own: there `/` is what `/rpc/<id>` is on the public port. */
@Injectable()
export class PortListeners {
  readonly #opened = new Map<string, Opened>()
  readonly #taken = new Set<number>()
  #listener: RequestListener | undefined

  constructor(
    private readonly repository: LiveWorkloadsRepository,
    { registry }: Metrics,
    private readonly logger: Logger,
  ) {
    const taken: Gauge = new Gauge({
      name: 'node_ports_taken',
      help: 'Nodes and clusters whose own port another program has.',
      registers: [registry],
      collect: () => taken.set(this.#taken.size),
    })
  }

  /** Answers what comes in on these ports. */
  use(listener: RequestListener): void {
    this.#listener = listener
  }

  /** Opens and closes, until the right ports are open. */
  async keep(): Promise<void> {
    const ports = await this.repository.listPorts()
    for (const [id, { port }] of this.#opened) if (ports.get(id) !== port) this.closeOne(id)
    for (const [id, port] of ports) if (!this.#opened.has(id)) await this.open(id, port)
    const current = new Set(ports.values())
    for (const port of this.#taken) if (!current.has(port)) this.#taken.delete(port)
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
      redirect(id, request)
      this.#listener?.(request, response)
    })
    server.setTimeout(SILENCE_MS)
    server.on('clientError', (error, socket) => handleClientError(error, socket as Socket))
    server.on('checkExpectation', handleExpectation)
    try {
      const listening = once(server, 'listening')
      server.listen(port, HOST)
      await listening
      this.#opened.set(id, { port, server })
      this.#taken.delete(port)
    } catch (error) {
      // Logged once; it is tried again, as the other program may end.
      if (!this.#taken.has(port)) this.logger.error({ err: error, workload: id, port }, 'the port of a node is taken')
      this.#taken.add(port)
    }
  }

  private closeOne(id: string): void {
    const opened = this.#opened.get(id)
    this.#opened.delete(id)
    // Also closes idle connections; requests under way are answered.
    opened?.server.close()
  }
}

function redirect(id: string, request: IncomingMessage): void {
  const { url = '/' } = request
  request.url = url === '/' ? `/rpc/${id}` : `/rpc/${id}${url.startsWith('/') ? url : '/-'}`
  // No proxy is in front of these ports: whatever claims one is made up.
  delete request.headers['x-forwarded-for']
}
