import { readEnv } from './env.js'
import { startNodes } from './service.js'

await startNodes(readEnv())
