import { createLogger } from '@trestle/runtime/logger'
import { readEnv, upstreamsOf } from './env.js'
import { startIngress } from './ingress.js'

const env = readEnv()
const logger = createLogger('ingress', env.LOG_LEVEL)
const ingress = await startIngress({
  host: env.HOST,
  port: env.PORT,
  internalPort: env.INTERNAL_PORT,
  upstreams: upstreamsOf(env),
  trusted: env.TRUSTED_PROXIES,
  logger,
})
logger.info({ url: ingress.url, internalUrl: ingress.internalUrl }, 'ready')

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)

function stop(): void {
  // A second signal is impatience.
  if (stopping) process.exit(1)
  stopping = true
  logger.info('stopping')
  ingress.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      logger.fatal({ err: error }, 'the stop failed')
      process.exit(1)
    },
  )
}
