import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import { type Devnet, startDevnet } from '@trestle/devnet/devnet'
import { startPostgres } from '@trestle/devnet/postgres'
import pg from 'pg'

// A platform of the release before is upgraded: `release-before/record.ts` recorded its data and what its users saw.

interface Row {
  readonly [member: string]: unknown
}
interface Person {
  readonly id: string
  readonly email: string
  readonly key: { readonly clientId: string; readonly clientSecret: string }
  readonly sees: Readonly<Record<string, unknown>>
}
interface Recorded {
  readonly password: string
  readonly organization: string
  readonly people: readonly [ada: Person, ben: Person, cleo: Person]
  readonly bill: unknown
  readonly secrets: Row
  readonly schemas: Readonly<Record<string, { readonly migrations: readonly string[]; readonly tables: Readonly<Record<string, Row[]>> }>>
}

const E2E = fileURLToPath(new URL('..', import.meta.url))
const [newest = ''] = readdirSync(join(E2E, 'release-before'))
  .filter((file) => file.endsWith('.json'))
  .sort()
  .reverse()
const recorded: Recorded = JSON.parse(readFileSync(join(E2E, 'release-before', newest), 'utf8'))
const [ada, ben, cleo] = recorded.people

const dataDir = mkdtempSync(join(tmpdir(), 'trestle-upgrade-'))
let devnet: Devnet
beforeAll(async () => {
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(recorded.secrets), { mode: 0o600 })
  // As devnet has it: the user that Postgres runs as passes through.
  chmodSync(dataDir, 0o711)
  const postgres = await startPostgres({ dir: join(dataDir, 'postgres') })
  for (const schema of Object.keys(recorded.schemas)) await restore(postgres.url, schema)
  await postgres.stop()
  devnet = await startDevnet({ ports: 'random', dataDir, quiet: true, only: ['accounts', 'nodes', 'staking', 'eth'] })
  await restoreStaking()
}, 300_000)
afterAll(async () => {
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('after the upgrade', () => {
  it.each(recorded.people)('$email sees everything as before, without naming an organization', async (person) => {
    const token = await signIn(person)
    for (const [path, before] of Object.entries(person.sees)) {
      const { status, body } = await call(token, path)
      expect([path, status]).toEqual([path, 200])
      for (const [index, each] of [before].flat().entries())
        expect([path, lasting([body].flat()[index])]).toMatchObject([path, lasting(each)])
    }
  })

  it.each(recorded.people)('$email owns it through the personal organization, which is not shared', async (person) => {
    const token = await signIn(person)
    const personal = `org-${person.id.slice('user-'.length)}`
    for (const path of ['/nodes/users/me/nodes', '/nodes/users/me/clusters', '/staking/ethereum/dev/validators', '/eth/projects']) {
      const own = await call(token, path, { 'trestle-organization': personal })
      expect(idsOf(own.body)).toEqual(idsOf(person.sees[path]))
      const others = recorded.people.filter(({ id }) => id !== person.id)
      for (const other of others) expect((await call(await signIn(other), path, { 'trestle-organization': personal })).status).toBe(404)
    }
  })

  it('the shared organization owns nothing, and its members have the roles that they had', async () => {
    const shared = { 'trestle-organization': recorded.organization }
    expect(await call(await signIn(ada), '/nodes/users/me/nodes', shared)).toEqual({ status: 200, body: [] })
    expect(await call(await signIn(ben), '/nodes/users/me/nodes', shared)).toMatchObject({
      status: 403,
      body: { code: 'MissingPermission' },
    })
    expect(await call(await signIn(cleo), '/nodes/users/me/nodes', shared)).toMatchObject({ status: 404 })
  })

  it.each(recorded.people)('the client key of $email goes on', async ({ key, sees }) => {
    const granted = await fetch(`${devnet.info.ingress}/accounts/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grantType: 'clientCredentials', clientId: key.clientId, clientSecret: key.clientSecret }),
    })
    const { accessToken: token } = (await granted.json()) as { accessToken: string }
    expect(idsOf((await call(token, '/nodes/users/me/nodes')).body)).toEqual(idsOf(sees['/nodes/users/me/nodes']))
    expect(idsOf((await call(token, '/eth/projects')).body)).toEqual(idsOf(sees['/eth/projects']))
  })

  it('the bill of a month that is over has its former users and sums, and not those of who was in no organization', async () => {
    const token = await signIn(ada)
    const { body } = await call(token, '/staking/ethereum/billing/report?fromDate=2026-11-01&toDate=2026-11-10')
    expect(body).toEqual(recorded.bill)
    expect(JSON.stringify(body)).not.toContain(cleo.id)
  })
})

/** Puts the data of a service where the release before had it. */
async function restore(adminUrl: string, schema: string): Promise<string> {
  const { migrations = [], tables = {} } = recorded.schemas[schema] ?? {}
  const password = String(recorded.secrets[`${schema.toUpperCase()}_DATABASE_PASSWORD`])
  const url = Object.assign(new URL(adminUrl), { username: `trestle_${schema}`, password: encodeURIComponent(password) }).href
  await provision({ adminUrl, url, schema })
  await migrate({ url, schema, folder: formerMigrations(schema, migrations) })
  await load(adminUrl, schema, tables)
  return url
}

/** The validators' chain of this platform is new, and it forgets what staking knew of another. */
async function restoreStaking(): Promise<void> {
  const { postgres } = devnet.info
  devnet.kill('staking', 'SIGTERM')
  const db = new pg.Client(postgres)
  await db.connect()
  await db.query('DROP SCHEMA staking CASCADE')
  await db.end()
  const url = await restore(postgres, 'staking')
  await migrate({ url, schema: 'staking', folder: migrationsOf('staking') })
  await devnet.restart('staking')
}

function migrationsOf(schema: string): string {
  return join(E2E, '../prisma', schema === 'eth' ? 'eth-rpc' : schema, 'migrations')
}

function formerMigrations(schema: string, migrations: readonly string[]): string {
  const folder = join(dataDir, 'migrations', schema)
  for (const migration of migrations) cpSync(join(migrationsOf(schema), migration), join(folder, migration), { recursive: true })
  return folder
}

async function load(url: string, schema: string, tables: Readonly<Record<string, Row[]>>): Promise<void> {
  const db = new pg.Client(url)
  await db.connect()
  // Rows arrive in any order, and nothing reacts to them.
  await db.query('SET session_replication_role = replica')
  for (const [table, rows] of Object.entries(tables)) {
    const name = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`
    await db.query(`DELETE FROM ${name}`)
    await db.query(`INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${name}, $1)`, [
      JSON.stringify(rows),
    ])
  }
  // Numbers go on behind the last one.
  const { rows: numbered } = await db.query(
    `SELECT attname AS column, attrelid::regclass::text AS table FROM pg_attribute
     WHERE (attidentity <> '' OR attname = 'serial') AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = $1::regnamespace)`,
    [schema],
  )
  for (const { column, table } of numbered)
    await db.query(`SELECT setval(pg_get_serial_sequence($1, $2), max(${column})) FROM ${table}`, [table, column])
  await db.end()
}

async function signIn({ email }: Person): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${email}:${recorded.password}`).toString('base64')}`
  const answer = await fetch(`${devnet.info.ingress}/accounts/auth`, { method: 'POST', headers: { authorization } })
  return ((await answer.json()) as { accessToken: string }).accessToken
}

async function call(token: string, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(devnet.info.ingress + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
  return { status: answer.status, body: await answer.json() }
}

function idsOf(list: unknown): unknown[] {
  return (list as Row[]).map(({ id, projectId }) => id ?? projectId)
}

// What changes while a node, a signer and a chain are observed.
const PASSING = new Set('updatedAt phase conditions status asOf note url serviceData instance lastUsedAt healthCount readyAt'.split(' '))

function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, of]) => (PASSING.has(name) ? [] : [[name, lasting(of)]])))
}
