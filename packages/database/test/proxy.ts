import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** A proxy between a pool and its server that fails on demand. */
export async function startProxy(target: string) {
  const { port, hostname } = new URL(target)
  const sockets = new Set<Socket>()
  let silent = false
  let cutText: string | undefined

  function connect(client: Socket) {
    const server = createConnection(Number(port), hostname)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
    client.on('data', (chunk) => {
      if (silent) return
      server.write(chunk)
      if (cutText && chunk.includes(cutText)) client.resetAndDestroy()
    })
    server.on('data', (chunk) => silent || client.write(chunk))
    client.on('close', () => server.end())
    server.on('close', () => client.destroy())
  }

  const listener = createServer(connect).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address() as AddressInfo
  return {
    url: Object.assign(new URL(target), { port: address.port }).href,
    /** Drops everything in both directions, like a failed network. */
    hang() {
      silent = true
    },
    heal() {
      silent = false
      for (const socket of sockets) socket.destroy()
    },
    /** Forwards this text to the server, and disconnects the client before the response. */
    cutAfter(text: string | undefined) {
      cutText = text
    },
    stop() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}

export type TestProxy = Awaited<ReturnType<typeof startProxy>>
