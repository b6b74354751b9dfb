// Records what a release leaves to the next: people, a team, and what they run. Run it in a built checkout of that release:
//   node e2e/release-before/record.ts e2e/release-before/<date>.json
// All is made through the public API, but the days of a bill, which have to be over.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startDevnet } from '@trestle/devnet/devnet'
import pg from 'pg'

const PASSWORD = 'three quiet owls at noon'
const ADDRESS = { country: 'GB', zipCode: 'W1', address: 'St James Square 12', state: 'London' }
const UUID = '[0-9a-f]{8}-[0-9a-f-]{27}'
// What a release need not find: sent, counted or logged, and deleted after a while.
const PASSING = ['attempt', 'event', 'known_network', 'lease', 'mail', 'mailbox', 'outbox', 'security_event']

const [file = 'release-before.json'] = process.argv.slice(2)
const dataDir = mkdtempSync(join(tmpdir(), 'trestle-record-'))
const devnet = await startDevnet({ ports: 'random', dataDir, quiet: true, only: ['accounts', 'nodes', 'staking', 'eth'] })
const { ingress, mailbox, postgres } = devnet.info
const db = new pg.Client(postgres)
await db.connect()

const ada = await register('ada')
const ben = await register('ben')
const cleo = await register('cleo')
const { id: organization } = await call(ada, 'POST', '/accounts/organizations', { name: 'Analytical Engines' })
await call(ada, 'PUT', `/accounts/organizations/${organization}/members/${ada.id}`, { roles: ['owner', 'billing'] })
await call(ada, 'POST', `/accounts/organizations/${organization}/invitations`, { email: ben.email, roles: ['member'] })
await call(ben, 'PUT', `/accounts/invitations/${await mailedTo(ben.email, /account\/invitation\/([\w-]+)/)}`)

for (const each of [ada, ben, cleo]) await furnish(each)
await insertDays()
const people = await Promise.all([ada, ben, cleo].map(async (each) => ({ ...each, sees: await everythingOf(each) })))
const bill = await call(ada, 'GET', '/staking/ethereum/billing/report?fromDate=2026-11-01&toDate=2026-11-10')
const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
const schemas = await contentOfSchemas()
writeFileSync(file, `${JSON.stringify({ password: PASSWORD, organization, people, bill, secrets, schemas }, undefined, 1)}\n`)
await db.end()
await devnet.stop()
rmSync(dataDir, { recursive: true, force: true })

interface Person {
  readonly id: string
  readonly email: string
  readonly token: string
  key?: { clientId: string; clientSecret: string }
}

async function register(name: string): Promise<Person> {
  const email = `${name}@example.org`
  await call(undefined, 'POST', '/accounts/users', { email, password: PASSWORD, displayName: name, billingAddress: ADDRESS })
  await call(undefined, 'PUT', `/accounts/users/${email}/token/${await mailedTo(email, new RegExp(`/token/(${UUID})`))}`)
  const authorization = `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`
  const answer = await fetch(`${ingress}/accounts/auth`, { method: 'POST', headers: { authorization } })
  const { accessToken: token } = await answer.json()
  const { id } = await call({ id: '', email, token }, 'GET', '/accounts/users/me')
  return { id, email, token }
}

async function furnish(person: Person): Promise<void> {
  await call(person, 'POST', '/eth/projects', { name: `${person.email} on eth` })
  await call(person, 'POST', '/nodes/users/me/nodes', { image: 'ltc' })
  await call(person, 'POST', '/nodes/users/me/clusters', { image: 'ltc', alias: person.email.slice(0, 3) })
  person.key = await call(person, 'POST', '/accounts/users/me/client-keys', { name: 'indexer', scopes: ['nodes', 'staking', 'eth-rpc'] })
  const body = { withdrawalAddress: `0x${'11'.repeat(20)}`, feeAddress: `0x${'22'.repeat(20)}`, region: 'eu' }
  for (let count = 0; count < 2; count++) await call(person, 'POST', '/staking/ethereum/dev/validators', body)
}

/** Ten days of each validator, with other amounts for each. */
async function insertDays(): Promise<void> {
  // A trigger keeps it as it is.
  await db.query(`BEGIN; SET LOCAL session_replication_role = replica; UPDATE staking.validator SET created_at = '2026-10-01'; COMMIT`)
  await db.query(`
    INSERT INTO staking.validator_day (serial, day, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei,
      rewards_gwei, penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, execution_rewards_wei)
    SELECT serial, '2026-10-31'::date + n, 32000000000, 32000000000 + 1000 * serial + n - 7 * n, 32, false, 0, 0,
      1000 * serial + n, 7 * n, 0, 225, 225, 225 * 32, 1000000007::numeric * serial * n
    FROM staking.validator, generate_series(1, 10) AS n`)
}

/** The answers that somebody gets, by path. */
async function everythingOf(person: Person): Promise<Record<string, unknown>> {
  const paths = [
    '/accounts/users/me',
    '/accounts/organizations',
    '/accounts/users/me/client-keys',
    '/nodes/users/me/nodes',
    '/nodes/users/me/clusters',
  ]
  const all = [...paths, '/staking/ethereum/dev/validators', '/eth/projects']
  return Object.fromEntries(await Promise.all(all.map(async (path) => [path, await call(person, 'GET', path)])))
}

async function call(person: Person | undefined, method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json', ...(person && { authorization: `Bearer ${person.token}` }) }
  const answer = await fetch(ingress + path, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

async function mailedTo(email: string, what: RegExp): Promise<string> {
  for (;;) {
    const mails = await (await fetch(`${mailbox}?to=${encodeURIComponent(email)}`)).json()
    const found = mails.map(({ text }: { text: string }) => what.exec(text)?.[1]).find(Boolean)
    if (found) return found
    await delay(100)
  }
}

/** Of each schema the migrations and the rows that last, as JSON that Postgres reads back. */
async function contentOfSchemas(): Promise<Record<string, unknown>> {
  const { rows } = await db.query(
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables
    WHERE schemaname IN (SELECT schemaname FROM pg_tables WHERE tablename = '_prisma_migrations')
      AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I.%I', schemaname, tablename)::regclass)
      AND NOT tablename = ANY ($1) ORDER BY 1, 2`,
    [PASSING],
  )
  const schemas: Record<string, { migrations: string[]; tables: Record<string, unknown> }> = {}
  for (const { schema, name } of rows) {
    const content = await db.query(`SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') AS rows FROM "${schema}"."${name}" t`)
    schemas[schema] ??= { migrations: [], tables: {} }
    if (name === '_prisma_migrations')
      schemas[schema].migrations = content.rows[0].rows.map((row: { migration_name: string }) => row.migration_name).sort()
    else if (content.rows[0].rows.length > 0) schemas[schema].tables[name] = content.rows[0].rows
  }
  return schemas
}
