import type { Server } from 'node:http'

/** Listens on a free port of the loopback interface and prints the URL, which `startScript` reads. */
export function listenAndPrint(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address) console.log(`http://127.0.0.1:${address.port}`)
  })
}
