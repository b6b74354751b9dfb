import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '@trestle/problem/thrown'
import { DatabaseError, escapeIdentifier, Pool, type PoolClient } from 'pg'
import { sqlStateOf } from './database-problem.js'
import { type HistoryRow, type Migration, pendingOf, readMigrations } from './migrations.js'
import { lineAt, type Statement } from './statements.js'
import { transaction } from './transaction.js'

interface MigrateOptions {
  /** That of the service role, which has to own what a migration creates. */
  readonly url: string
  /** In Prisma's layout: `<time>_<name>/migration.sql`. */
  readonly folder: string
  readonly schema: string
}

/** Applies the new migrations of a folder, each in a transaction, and returns their names. */
export async function migrate({ url, folder, schema }: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const pool = new Pool({ connectionString: url, application_name: 'migrate', max: 1, connectionTimeoutMillis: 10_000 })
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  const applied: string[] = []
  try {
    await createHistory(pool, schema)
    while (true) {
      const name = await retryLocks(() => transaction(pool, (client) => applyNext(client, schema, migrations)))
      if (name === undefined) return applied
      applied.push(name)
    }
  } finally {
    await pool.end()
  }
}

// Whatever uses a table queues behind a statement that waits to change it: so it waits shortly, and is tried again later.
const LOCK_MS = 1_000
const RETRY_MS = 1_000
const MAX_TRIES = 60
const LOCK_NOT_AVAILABLE = '55P03'

async function retryLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (tries === MAX_TRIES || sqlStateOf(cause) !== LOCK_NOT_AVAILABLE) throw error
      await delay(RETRY_MS)
    }
  }
}

async function applyNext(client: PoolClient, schema: string, migrations: readonly Migration[]): Promise<string | undefined> {
  const [next] = pendingOf(migrations, await openHistory(client, schema))
  if (!next) return undefined
  const startedAt = new Date()
  await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`)
  for (const statement of next.statements) await run(client, next, statement)
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [randomUUID(), next.checksum, next.name, startedAt],
  )
  return next.name
}

// Another runner created it first: unique violation, duplicate table, duplicate type.
const CREATED_MEANWHILE = new Set(['23505', '42P07', '42710'])

/** Prisma's table, so that `prisma migrate status` and `dev` see the same history. */
async function createHistory(pool: Pool, schema: string): Promise<void> {
  const { rowCount } = await pool.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
  if (rowCount === 0) throw new Error(`There is no schema "${schema}" in the database: provision it first.`)
  await pool
    .query(`CREATE TABLE IF NOT EXISTS ${escapeIdentifier(schema)}._prisma_migrations (
    id varchar(36) PRIMARY KEY,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0)`)
    .catch((error: DatabaseError) => {
      if (!CREATED_MEANWHILE.has(error.code ?? '')) throw error
    })
}

/** Locks out other runners; readers pass. Any role of the database could hold an advisory lock for ever, but only the schema's own this one. */
async function openHistory(client: PoolClient, schema: string): Promise<HistoryRow[]> {
  await client.query(`SET LOCAL search_path TO ${escapeIdentifier(schema)}`)
  await client.query('LOCK TABLE _prisma_migrations IN SHARE ROW EXCLUSIVE MODE')
  const { rows } = await client.query<HistoryRow>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  )
  return rows
}

async function run(client: PoolClient, { name }: Migration, { text, line }: Statement): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    const position = error instanceof DatabaseError ? Number(error.position ?? 1) : 1
    throw new Error(`${name}/migration.sql, line ${line + lineAt(text, position - 1) - 1}: ${messageOf(error)}`, { cause: error })
  }
}
