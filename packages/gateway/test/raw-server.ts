import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A server that answers each request with bytes of the test's own. */
export class RawServer {
  private readonly sockets = new Set<Socket>()
  private readonly server: Server

  private constructor(private readonly answer: (socket: Socket, request: string) => unknown) {
    this.server = createServer({ noDelay: true }, (socket) => this.take(socket))
  }

  static async start(answer: (socket: Socket, request: string) => unknown): Promise<RawServer> {
    const raw = new RawServer(answer)
    raw.server.listen(0, '127.0.0.1')
    await once(raw.server, 'listening')
    return raw
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`)
  }

  get connections(): number {
    return this.sockets.size
  }

  stop(): void {
    this.server.close()
    for (const socket of this.sockets) socket.destroy()
  }

  private take(socket: Socket): void {
    this.sockets.add(socket)
    socket.once('close', () => this.sockets.delete(socket))
    // Clients may reset it.
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => void this.answer(socket, bytes.toString('latin1')))
  }
}
