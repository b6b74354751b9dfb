import { readEnv } from './env.js'
import { startStaking } from './service.js'

await startStaking(readEnv())
