import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import type { TransportOptions } from './transport.js'

const KEEP_ALIVE_PROBE_MS = 60_000

// Every read is consumed before the next: one buffer is enough for all connections.
const received = Buffer.allocUnsafeSlow(64 * 1024)

/** What spares a connection over TLS the start of the handshake. */
export interface Resumption {
  readonly secureContext?: SecureContext
  readonly session?: Buffer
}

/** A connection to the upstream that is being opened, and hands on what it reads. */
export function connectTo({ url, lookup }: TransportOptions, resumption: Resumption, read: (bytes: Buffer) => void): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isTls = url.protocol === 'https:'
  const callback = (count: number) => {
    read(received.subarray(0, count))
    return true
  }
  const options: TcpNetConnectOpts = {
    host,
    port: Number(url.port) || (isTls ? 443 : 80),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    lookup,
    onread: { buffer: received, callback },
  }
  if (!isTls) return connectTcp(options)
  return connectTls({ ...options, ...resumption, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] })
}

export function connectTimedOut(): Error {
  return Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })
}
