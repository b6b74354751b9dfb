import { createPool } from '@trestle/database/pool'
import { messageOf } from '@trestle/problem/thrown'
import { readIndexEnv } from './env.js'
import { StatusRepository } from './status/status.repository.js'
import { statusText } from './status/status-text.js'
import { syncStatusOf } from './status/sync-status.js'

// `node dist/status.js`: how far the index is, read from the database only.
try {
  process.stdout.write(await readStatus())
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}

async function readStatus(): Promise<string> {
  const { DATABASE_URL: url, DEPLOYMENT: schema } = readIndexEnv()
  const pool = createPool({ url, schema, max: 1 })
  try {
    return statusText(schema, syncStatusOf(await new StatusRepository(pool).findState()))
  } finally {
    await pool.end()
  }
}
