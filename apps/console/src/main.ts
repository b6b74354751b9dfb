import { fileURLToPath } from 'node:url'
import { createLogger } from '@trestle/runtime/logger'
import { stopOnSignals } from '@trestle/runtime/stop-on-signals'
import { serverTlsFiles } from '@trestle/runtime/tls/server-tls'
import { upstreamTlsFiles } from '@trestle/runtime/tls/upstream-tls'
import { startConsole } from './console.js'
import { readEnv } from './env.js'
import { readFiles } from './files.js'

const env = readEnv()
const logger = createLogger('console', env.LOG_LEVEL)
const running = await startConsole({
  host: env.HOST,
  port: env.PORT,
  internalPort: env.INTERNAL_PORT,
  upstreams: env.upstreams,
  chains: env.chains,
  publicUrl: env.PUBLIC_URL,
  files: await readFiles(fileURLToPath(new URL('web', import.meta.url))),
  logger,
  tls: serverTlsFiles(env, logger),
  upstreamTls: upstreamTlsFiles(env, logger),
})
logger.info({ url: running.url, internalUrl: running.internalUrl }, 'ready')
stopOnSignals(() => running.stop(), logger)
