import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** Stands between a pool and its server, and breaks what the test says. */
export async function startProxy(target: string) {
  const { port, hostname } = new URL(target)
  const sockets = new Set<Socket>()
  let silent = false
  let doomed: string | undefined

  function connect(client: Socket) {
    const server = createConnection(Number(port), hostname)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
    client.on('data', (chunk) => {
      if (silent) return
      server.write(chunk)
      if (doomed && chunk.includes(doomed)) client.resetAndDestroy()
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
    /** Passes nothing on in either direction, as a network that has failed. */
    hang() {
      silent = true
    },
    heal() {
      silent = false
      for (const socket of sockets) socket.destroy()
    },
    /** Passes this on to the server, and cuts the client off before the answer. */
    cutAfter(text: string | undefined) {
      doomed = text
    },
    stop() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}

export type TestProxy = Awaited<ReturnType<typeof startProxy>>
