import { randomBytes } from 'node:crypto'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import { Client } from 'pg'
import { workerPostgres } from './worker-postgres.js'

interface FreshDatabaseOptions {
  readonly schema: string
  /** A folder in Prisma's layout; without it the schema stays empty. */
  readonly migrations?: string
}

export interface TestDatabase {
  /** That of the service role, which sees only its own schema. */
  readonly url: string
  /** That of the superuser, for the same database. */
  readonly adminUrl: string
  drop(): Promise<void>
}

/** Creates a database, provisioned and migrated, on the Postgres of this jest worker. */
export async function freshDatabase({ schema, migrations }: FreshDatabaseOptions): Promise<TestDatabase> {
  const server = await workerPostgres()
  // The role is new too: roles belong to the whole server.
  const name = `${schema}_${randomBytes(4).toString('hex')}`
  const adminUrl = Object.assign(new URL(server), { pathname: name }).href
  const url = Object.assign(new URL(adminUrl), { username: name, password: 'secret' }).href
  await provision({ adminUrl: server, url, schema })
  if (migrations) await migrate({ url, schema, folder: migrations })
  return { url, adminUrl, drop: () => drop(server, name) }
}

async function drop(server: string, name: string): Promise<void> {
  const client = new Client(server)
  await client.connect()
  await client.query(`DROP DATABASE "${name}" WITH (FORCE)`)
  await client.query(`DROP ROLE "${name}"`)
  await client.end()
}
