import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Server as TlsServer } from 'node:tls'

const POLL_MS = 20
/** A request that was just sent may still be in the kernel: wait this long for it. */
const QUIET_MS = 100

/** The connections of a server, and how many requests each is processing. */
export class OpenConnections {
  private readonly requests = new Map<Socket, number>()
  /** What is under TLS: Node closes only connections whose handshake is done. */
  private readonly tcpSockets = new Set<Socket>()

  constructor(private readonly server: Server) {
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.requests.set(socket, 0)
      socket.once('close', () => this.requests.delete(socket))
    })
    if (server instanceof TlsServer) this.trackTcp(server)
  }

  begin(socket: Socket): void {
    this.change(socket, 1)
  }

  end(socket: Socket): void {
    this.change(socket, -1)
  }

  requestCount(): number {
    return [...this.requests.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Closes the port, lets current requests finish, and closes the connections; resolves to how many requests were cut off. */
  async close(deadlineMs: number): Promise<number> {
    // What came in while this process was busy is accepted first: closing the port resets it.
    await nextTurn()
    await nextTurn()
    // Also closes idle keep-alive connections; Node counts one that never sent a byte as busy.
    this.server.close()
    const deadline = Date.now() + deadlineMs
    let quietSince = Date.now()
    while (Date.now() < deadline && Date.now() - quietSince < QUIET_MS) {
      await sleep(POLL_MS)
      if (this.requestCount() > 0) quietSince = Date.now()
    }
    const cut = this.requestCount()
    this.server.closeAllConnections()
    for (const socket of this.tcpSockets) socket.destroy()
    return cut
  }

  private trackTcp(server: TlsServer): void {
    server.on('connection', (socket) => {
      this.tcpSockets.add(socket)
      socket.once('close', () => this.tcpSockets.delete(socket))
    })
  }

  private change(socket: Socket, by: number): void {
    const count = this.requests.get(socket)
    if (count !== undefined) this.requests.set(socket, count + by)
  }
}
