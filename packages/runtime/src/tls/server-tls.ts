import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import { type TLSSocket, Server as TlsServer } from 'node:tls'
import type { ServiceEnv } from '../env.js'
import type { Logger } from '../logger.js'
import { TlsFiles } from './tls-files.engine.js'

export type ServerTlsEnv = Pick<ServiceEnv, 'TLS_CERT_FILE' | 'TLS_KEY_FILE' | 'TLS_CLIENT_CA_FILE'>

/** A client that connects and never says hello. */
const HANDSHAKE_MS = 10_000
const LOG_INTERVAL_MS = 10_000

/** The files of a server that is to serve HTTPS; undefined for one that serves HTTP. */
export function serverTlsFiles(env: ServerTlsEnv, logger: Logger): TlsFiles | undefined {
  const { TLS_CERT_FILE, TLS_KEY_FILE, TLS_CLIENT_CA_FILE } = env
  if (TLS_CERT_FILE === undefined && TLS_KEY_FILE === undefined) {
    if (TLS_CLIENT_CA_FILE === undefined) return undefined
    throw new Error('TLS_CLIENT_CA_FILE admits nobody without TLS_CERT_FILE and TLS_KEY_FILE')
  }
  return new TlsFiles(
    {
      cert: { variable: 'TLS_CERT_FILE', path: TLS_CERT_FILE },
      key: { variable: 'TLS_KEY_FILE', path: TLS_KEY_FILE },
      ca: { variable: 'TLS_CLIENT_CA_FILE', path: TLS_CLIENT_CA_FILE },
    },
    logger,
  )
}

/** With authorities, only clients with a certificate of theirs get in. */
export function serverTlsOptions({ material }: TlsFiles): ServerOptions {
  const isMutual = material.ca !== undefined
  return { ...material, requestCert: isMutual, rejectUnauthorized: isMutual, handshakeTimeout: HANDSHAKE_MS }
}

/** A server without Nest, over HTTPS where it has the files for it. */
export function createPublicServer(options: ServerOptions, tls: TlsFiles | undefined, logger: Logger, listener: RequestListener): Server {
  if (!tls) return createServer(options, listener)
  const server = createSecureServer({ ...options, ...serverTlsOptions(tls) }, listener)
  keepSecure(server, tls, logger)
  return server
}

/** Serves renewed certificates to the next clients, and logs whom it refuses. */
export function keepSecure(server: Server, files: TlsFiles, logger: Logger): void {
  if (!(server instanceof TlsServer)) throw new Error('The server does not speak TLS.')
  files.onRenewal(() => server.setSecureContext(files.material))
  let quietUntil = 0
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    const reason: unknown = socket.authorizationError ?? error.code
    // A health check that only connects.
    if (reason === 'ECONNRESET' || performance.now() < quietUntil) return
    quietUntil = performance.now() + LOG_INTERVAL_MS
    logger.warn({ reason }, 'a TLS handshake failed')
  })
}
