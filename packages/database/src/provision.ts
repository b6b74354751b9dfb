import { setTimeout as delay } from 'node:timers/promises'
import { escapeIdentifier, escapeLiteral, Pool, type PoolClient } from 'pg'
import { sqlStateOf } from './database-problem.js'
import { transaction } from './transaction.js'

interface ProvisionOptions {
  /** That of a superuser, or of a role that may create roles and owns the database. */
  readonly adminUrl: string
  /** That of the service: its user, password and database are created. */
  readonly url: string
  readonly schema: string
}

/** Creates the service's database, role and schema; idempotent. */
export async function provision({ adminUrl, url, schema }: ProvisionOptions): Promise<void> {
  const service = { ...partsOf(url), schema }
  await createDatabase(adminUrl, service.database)
  const target = Object.assign(new URL(adminUrl), { pathname: encodeURI(service.database) }).href
  await connected(target, (pool) => retryConflicts(() => transaction(pool, (client) => provisionRole(client, service))))
}

// What concurrent runs cause: tuple concurrently updated, unique violation, deadlock, a role that exists by now.
const CONFLICTS = new Set(['XX000', '23505', '40P01', '42710'])
const MAX_TRIES = 20
const MAX_JITTER_MS = 50

/** Instead of an advisory lock, which any role of the database could hold for ever. */
async function retryConflicts(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === MAX_TRIES || !CONFLICTS.has(sqlStateOf(error) ?? '')) throw error
      await delay(Math.random() * MAX_JITTER_MS)
    }
  }
}

interface Service {
  user: string
  password: string
  database: string
  schema: string
}

function partsOf(url: string): Omit<Service, 'schema'> {
  const { username, password, pathname } = new URL(url)
  if (!username || !password || pathname.length < 2)
    throw new Error("A service's database URL must name a user, a password and a database.")
  return {
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    // As pg decodes it.
    database: decodeURI(pathname.slice(1)),
  }
}

async function createDatabase(adminUrl: string, database: string): Promise<void> {
  await connected(adminUrl, async (pool) => {
    const { rowCount } = await pool.query('SELECT FROM pg_database WHERE datname = $1', [database])
    if (rowCount === 0) await pool.query(`CREATE DATABASE ${escapeIdentifier(database)}`).catch(ignoreExisting)
  })
}

function ignoreExisting(error: { code?: string }): void {
  // Another process created it first: duplicate_database, or unique_violation during both.
  if (error.code !== '42P04' && error.code !== '23505') throw error
}

async function provisionRole(client: PoolClient, service: Service): Promise<void> {
  const { rows } = await client.query<{ me: string; superuser: boolean; exists: boolean }>(
    `SELECT rolname AS me, rolsuper AS superuser, EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists
     FROM pg_roles WHERE rolname = current_user`,
    [service.user],
  )
  const [admin] = rows
  if (admin?.me === service.user) throw new Error(`"${service.user}" administers the database: a service needs a role of its own.`)
  if (!admin?.exists) await client.query(`CREATE ROLE ${escapeIdentifier(service.user)}`)
  // Only a member of a role may give it a schema, unless it is a superuser.
  if (!admin?.superuser) await client.query(`GRANT ${escapeIdentifier(service.user)} TO CURRENT_USER`)
  for (const statement of rightsOf(service)) await client.query(statement)
}

/** A role that can log in, connect to this database, and do anything in this schema. */
function rightsOf(service: Service): string[] {
  const [role, database, schema] = [service.user, service.database, service.schema].map(escapeIdentifier)
  return [
    `ALTER ROLE ${role} LOGIN PASSWORD ${escapeLiteral(service.password)}`,
    `REVOKE ALL ON DATABASE ${database} FROM PUBLIC`,
    `REVOKE ALL ON SCHEMA public FROM PUBLIC`,
    `GRANT CONNECT ON DATABASE ${database} TO ${role}`,
    `CREATE SCHEMA IF NOT EXISTS ${schema}`,
    `ALTER SCHEMA ${schema} OWNER TO ${role}`,
    `ALTER ROLE ${role} IN DATABASE ${database} SET search_path TO ${schema}`,
  ]
}

async function connected<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({ connectionString: url, application_name: 'provision', max: 1, connectionTimeoutMillis: 10_000 })
  pool.on('error', () => {})
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
