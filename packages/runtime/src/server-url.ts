import { once } from 'node:events'
import type { Server } from 'node:net'
import { Server as TlsServer } from 'node:tls'

/** The URL of a server on this machine, without a trailing slash. */
export function urlOf(server: Server): string {
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('The server does not listen on a port.')
  const { address, port, family } = listening
  const host = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  const scheme = server instanceof TlsServer ? 'https' : 'http'
  return `${scheme}://${family === 'IPv6' && host !== '127.0.0.1' ? `[${host}]` : host}:${port}`
}

/** Listens, and returns where. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  return urlOf(server)
}
