import { readEnv } from './env.js'
import { startBtcConnect } from './service.js'

await startBtcConnect(readEnv())
