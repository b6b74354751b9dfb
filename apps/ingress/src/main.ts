import { createLogger } from '@trestle/runtime/logger'
import { stopOnSignals } from '@trestle/runtime/stop-on-signals'
import { upstreamTlsFiles } from '@trestle/runtime/tls/upstream-tls'
import { readEnv } from './env.js'
import { startIngress } from './ingress.js'

const env = readEnv()
const logger = createLogger('ingress', env.LOG_LEVEL)
const ingress = await startIngress({
  host: env.HOST,
  port: env.PORT,
  internalPort: env.INTERNAL_PORT,
  upstreams: env.upstreams,
  chains: env.chains,
  publicUrl: env.PUBLIC_URL,
  trusted: env.TRUSTED_PROXIES,
  upstreamTls: upstreamTlsFiles(env, logger),
  logger,
})
logger.info({ url: ingress.url, internalUrl: ingress.internalUrl, trustedProxies: env.TRUSTED_PROXIES.rules }, 'ready')
stopOnSignals(() => ingress.stop(), logger)
