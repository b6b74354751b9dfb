import { connect, createServer, type Socket } from 'node:net'
import { listen } from '@trestle/runtime/server-url'

/** A proxy to Postgres whose connections can be cut. */
export async function startPostgresProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
  })
  const { host } = new URL(await listen(server, 0, '127.0.0.1'))
  return {
    url: Object.assign(new URL(databaseUrl), { host }).href,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
    close: () => server.close(),
  }
}
