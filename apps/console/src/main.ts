import { fileURLToPath } from 'node:url'
import { createLogger } from '@trestle/runtime/logger'
import { startConsole } from './console.js'
import { readEnv, upstreamsOf } from './env.js'
import { readFiles } from './files.js'

const env = readEnv()
const logger = createLogger('console', env.LOG_LEVEL)
const running = await startConsole({
  host: env.HOST,
  port: env.PORT,
  internalPort: env.INTERNAL_PORT,
  upstreams: upstreamsOf(env),
  files: await readFiles(fileURLToPath(new URL('web', import.meta.url))),
  logger,
})
logger.info({ url: running.url, internalUrl: running.internalUrl }, 'ready')

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)

function stop(): void {
  // A second signal is impatience.
  if (stopping) process.exit(1)
  stopping = true
  logger.info('stopping')
  running.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      logger.fatal({ err: error }, 'the stop failed')
      process.exit(1)
    },
  )
}
