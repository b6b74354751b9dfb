import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
/** A request that was just sent may still be in the kernel: wait this long for it. */
const QUIET_MS = 100

/** The connections of a server, and how many requests each is processing. */
export class OpenConnections {
  private readonly requests = new Map<Socket, number>()

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.requests.set(socket, 0)
      socket.once('close', () => this.requests.delete(socket))
    })
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
    return cut
  }

  private change(socket: Socket, by: number): void {
    const count = this.requests.get(socket)
    if (count !== undefined) this.requests.set(socket, count + by)
  }
}
