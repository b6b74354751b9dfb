import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
/** A request that was sent just before the end may still be in the kernel: wait this long for it. */
const QUIET_MS = 100

/** The connections of a server and how many requests each has under way. */
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

  underWay(): number {
    return [...this.requests.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Stops listening, lets what is under way finish, and closes the rest; answers how many requests were cut off. */
  async close(deadlineMs: number): Promise<number> {
    // Also closes the idle keep-alive connections; one that never sent a byte counts as busy to Node.
    this.server.close()
    const deadline = Date.now() + deadlineMs
    let quietSince = Date.now()
    while (Date.now() < deadline && Date.now() - quietSince < QUIET_MS) {
      await sleep(POLL_MS)
      if (this.underWay() > 0) quietSince = Date.now()
    }
    const cut = this.underWay()
    this.server.closeAllConnections()
    return cut
  }

  private change(socket: Socket, by: number): void {
    const count = this.requests.get(socket)
    if (count !== undefined) this.requests.set(socket, count + by)
  }
}
