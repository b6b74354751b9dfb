import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@trestle/devnet/postgres'
import { removeOnExit, workerFolder } from './worker-folder.js'

let starting: Promise<string> | undefined

/** The superuser's URL of the Postgres that all test files of this jest worker share; it ends with the worker. */
export function workerPostgres(): Promise<string> {
  starting ??= findOrStart()
  return starting
}

async function findOrStart(): Promise<string> {
  const record = join(workerFolder(), 'postgres-url')
  if (existsSync(record)) return readFileSync(record, 'utf8')
  const { url, dir } = await startPostgres({ dir: join(workerFolder(), 'postgres'), durable: false })
  // Its folder may be elsewhere: the user that runs Postgres cannot reach every temporary folder.
  removeOnExit(dir)
  writeFileSync(record, url)
  return url
}
