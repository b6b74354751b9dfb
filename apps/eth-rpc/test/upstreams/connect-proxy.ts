import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** An HTTP proxy that opens tunnels. */
export class ConnectProxy {
  readonly opened: { readonly authority: string; readonly headers: IncomingHttpHeaders }[] = []
  /** Refuses with this status instead. */
  refusal?: string
  private readonly sockets = new Set<Socket>()
  private readonly server = createServer((_, response) => response.writeHead(405).end())

  static async start(): Promise<ConnectProxy> {
    const proxy = new ConnectProxy()
    proxy.server.on('connect', ({ url = '', headers }, client: Socket) => proxy.connect(url, headers, client))
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://us%40er:pass@127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.server.close()
    this.server.closeAllConnections()
    for (const socket of this.sockets) socket.destroy()
  }

  private connect(authority: string, headers: IncomingHttpHeaders, client: Socket): void {
    this.opened.push({ authority, headers })
    client.on('error', () => {})
    if (this.refusal) {
      client.end(`HTTP/1.1 ${this.refusal}\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const { hostname, port } = new URL(`http://${authority}`)
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    upstream.on('error', () => client.destroy())
    for (const socket of [client, upstream]) this.sockets.add(socket)
  }
}
