import type { Logger } from '../logger.js'
import { TlsFiles } from './tls-files.engine.js'

interface UpstreamTlsEnv {
  readonly UPSTREAM_CA_FILE?: string
  readonly UPSTREAM_CERT_FILE?: string
  readonly UPSTREAM_KEY_FILE?: string
}

/** The files for connections to services over HTTPS; undefined where public authorities are to verify them, and no certificate is sent. */
export function upstreamTlsFiles(env: UpstreamTlsEnv, logger: Logger): TlsFiles | undefined {
  const { UPSTREAM_CA_FILE, UPSTREAM_CERT_FILE, UPSTREAM_KEY_FILE } = env
  if ([UPSTREAM_CA_FILE, UPSTREAM_CERT_FILE, UPSTREAM_KEY_FILE].every((path) => path === undefined)) return undefined
  return new TlsFiles(
    {
      cert: { variable: 'UPSTREAM_CERT_FILE', path: UPSTREAM_CERT_FILE },
      key: { variable: 'UPSTREAM_KEY_FILE', path: UPSTREAM_KEY_FILE },
      ca: { variable: 'UPSTREAM_CA_FILE', path: UPSTREAM_CA_FILE },
    },
    logger,
  )
}
