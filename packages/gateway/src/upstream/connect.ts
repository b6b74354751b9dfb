import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { openTunnel } from './proxy-tunnel.js'
import type { TransportOptions } from './transport.js'

const KEEP_ALIVE_PROBE_MS = 60_000

// Every read is consumed before the next: one buffer is enough for all connections, but for what is read straight to where it is kept.
const received = Buffer.allocUnsafeSlow(64 * 1024)

/** What spares a connection over TLS the start of the handshake. */
export interface Resumption {
  readonly secureContext?: SecureContext
  readonly session?: Buffer
}

/** Takes what a connection reads. */
export interface BytesReader {
  read(bytes: Buffer): void
  /** Where the next bytes are to be read to; undefined where that does not matter. */
  readonly target: Buffer | undefined
}

/** A connection to the upstream that is being opened, and hands on what it reads. */
export function connectTo({ url, lookup }: TransportOptions, resumption: Resumption, reader: BytesReader): Socket {
  const { host, port, isTls } = addressOf(url)
  let into: Buffer = received
  // Called before every read.
  const buffer = () => {
    into = reader.target ?? received
    return into
  }
  const callback = (count: number) => {
    reader.read(into.subarray(0, count))
    return true
  }
  const options: TcpNetConnectOpts = {
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    lookup,
    onread: { buffer, callback },
  }
  if (!isTls) return connectTcp(options)
  return connectTls({ ...options, ...resumption, ...namesOf(host) })
}

/** The same through a proxy: gets the connection once it is open, or why there is none. */
export function connectThrough(
  proxy: URL,
  url: URL,
  resumption: Resumption,
  listener: (error: Error | undefined, socket?: Socket) => void,
): void {
  const { host, port, isTls } = addressOf(url)
  openTunnel(proxy, `${isIP(host) === 6 ? `[${host}]` : host}:${port}`, (error, tunnel) => {
    if (!tunnel || !isTls) return listener(error, tunnel)
    const secured = connectTls({ socket: tunnel, ...resumption, ...namesOf(host) })
    const failed = (reason: Error) => listener(reason)
    secured.once('error', failed)
    secured.once('secureConnect', () => {
      secured.off('error', failed)
      listener(undefined, secured)
    })
  })
}

function addressOf(url: URL) {
  const isTls = url.protocol === 'https:' || url.protocol === 'wss:'
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || (isTls ? 443 : 80), isTls }
}

function namesOf(host: string) {
  return { servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] }
}

export function connectTimedOut(): Error {
  return Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })
}
