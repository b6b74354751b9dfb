import { readEnv } from './env.js'
import { startAccounts } from './service.js'

await startAccounts(readEnv())
