import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where a server on this machine is reached from it, without a slash at the end. */
export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  const host = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  return `http://${family === 'IPv6' && host !== '127.0.0.1' ? `[${host}]` : host}:${port}`
}

/** Listens, and returns where. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  return urlOf(server)
}
