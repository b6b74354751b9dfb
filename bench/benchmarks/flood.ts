import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { Pool } from 'undici'
import { type Measured, measured } from '../src/load.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { residentMebibytes } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'

// 200 connections of eight networks sign up, guess, invite and ask for resets for a minute, as fast as they are answered. Meanwhile others sign in
// with the right password at a steady rate, on networks where they are known, and must hardly notice. Mails, rows and memory must stay within
// what the budgets of docs/accounts.md allow.

const SECONDS = Number(process.env.FLOOD_SECONDS ?? 60)
const CONNECTIONS = 200
const NETWORKS = 8
const USERS = 16
/** Of the sign-ins that the service can answer one after the other on this machine. */
const RIGHT_SHARE = 0.2
const FLOODER = fileURLToPath(new URL('../src/flooder.ts', import.meta.url))

// What the budgets allow in the minute.
const MINUTES = SECONDS / 60
const SIGN_UPS = NETWORKS * (20 + Math.ceil(MINUTES / 3))
const GUESSES = NETWORKS * (30 + Math.ceil(30 * MINUTES))
// Five invitations, a reset, and that the account exists.
const MAILS_TO_VICTIM = 7
// Failures in the log of a minute, in which another may begin.
const SECURITY_EVENTS = 1000 * (1 + Math.ceil(MINUTES))
const MAX_GROWTH_OF_MEMORY = 1.5
const MAX_RATIO = 3

const platform = await startBenchPlatform(['accounts'])
// The budgets of production.
const accounts = await platform.startReplica('accounts', { BUDGET_FACTOR: '1' })
const db = new pg.Client(platform.info.postgres)
await db.connect()
await db.query('SET search_path TO accounts')
const emails = await platform.insertUsers(USERS)
const [victim = '', founder = ''] = await platform.insertUsers(2)
const pool = new Pool(accounts.url, { connections: 64, pipelining: 1 })
const attacker = await foundOrganization()

const perSecond = await calibrate()
const idle = await signInSteadily(SECONDS)
const before = { ...(await countRows()), memory: residentMebibytes(accounts.pid) }
const flood = { url: accounts.url, connections: CONNECTIONS, networks: NETWORKS, seconds: SECONDS, attacker, victim }
const flooding = promisify(execFile)(process.execPath, [FLOODER, JSON.stringify(flood)])
const flooded = await signInSteadily(SECONDS)
const statuses = JSON.parse((await flooding).stdout) as Record<string, number>
// Records are written in batches.
await pause(2000)
const after = { ...(await countRows()), memory: residentMebibytes(accounts.pid) }
await db.end()
await pool.close()
await accounts.stop()
await platform.stop()

const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0)
const bounds = [
  bound('p99 of right sign-ins, ms', { from: idle.p99, to: flooded.p99, allowed: idle.p99 * MAX_RATIO }),
  bound('right sign-ins refused', { from: idle.failures, to: flooded.failures, allowed: 0 }),
  bound('mails to the victim', { from: before.mailsToVictim, to: after.mailsToVictim, allowed: MAILS_TO_VICTIM }),
  bound('mails to strangers', { from: before.mailsToStrangers, to: after.mailsToStrangers, allowed: SIGN_UPS }),
  bound('users', { from: before.users, to: after.users, allowed: before.users + SIGN_UPS }),
  bound('invitations', { from: before.invitations, to: after.invitations, allowed: 5 }),
  // An account that was guessed for, what each network spent, and the victim's.
  bound('attempts', { from: before.attempts, to: after.attempts, allowed: before.attempts + GUESSES + NETWORKS * 4 + 32 }),
  bound('security events', {
    from: before.securityEvents,
    to: after.securityEvents,
    allowed: before.securityEvents + flooded.requests + SECURITY_EVENTS,
  }),
  bound('resident memory, MiB', { from: before.memory, to: after.memory, allowed: before.memory * MAX_GROWTH_OF_MEMORY }),
]
console.log(`${rounded(perSecond)} right sign-ins a second; answers to the flood:`, statuses)
report({
  name: 'flood',
  target: `during ${requests} requests of a flood, right sign-ins take at most ${MAX_RATIO} times as long (p99) and none is refused; mails, rows and memory stay bounded`,
  met: bounds.every(({ used }) => used <= 1),
  rows: bounds,
})

/** `used` is the share of what is allowed. */
function bound(what: string, { from, to, allowed }: { from: number; to: number; allowed: number }) {
  const used = to === allowed ? 1 : to / Math.max(allowed, Number.EPSILON)
  return { what, before: rounded(from), after: rounded(to), allowed: rounded(allowed), used: rounded(Math.min(used, 99), 2) }
}

/** Makes all users known on their networks; the rate that the machine, as busy as it is, handles easily. */
async function calibrate(): Promise<number> {
  for (let at = 0; at < USERS; at++) await signIn(at)
  const started = performance.now()
  for (let at = 0; at < USERS; at++) await signIn(at)
  return (RIGHT_SHARE * USERS * 1000) / (performance.now() - started)
}

/** So many a second, whether or not the ones before are answered. */
async function signInSteadily(seconds: number): Promise<Measured> {
  const millis: number[] = []
  let failures = 0
  const started = performance.now()
  const running: Promise<void>[] = []
  for (let count = 0; count < seconds * perSecond; count++) {
    await pause(Math.max(0, started + (count / perSecond) * 1000 - performance.now()))
    const asked = performance.now()
    running.push(
      signIn(count % USERS).then((status) => {
        millis.push(performance.now() - asked)
        if (status !== 200) failures++
      }),
    )
  }
  await Promise.all(running)
  return measured(millis, { seconds, cpu: Number.NaN, failures })
}

/** Each from a network of its own. */
async function signIn(at: number): Promise<number> {
  const headers = { authorization: basic(emails[at] ?? ''), 'x-forwarded-for': `10.0.${at}.1` }
  const answer = await pool.request({ method: 'POST', path: '/auth', headers })
  await answer.body.dump()
  return answer.statusCode
}

async function foundOrganization(): Promise<{ token: string; organization: string }> {
  const signedIn = await fetch(`${accounts.url}/auth`, { method: 'POST', headers: { authorization: basic(founder) } })
  const { accessToken: token } = (await signedIn.json()) as { accessToken: string }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(`${accounts.url}/organizations`, { method: 'POST', headers, body: JSON.stringify({ name: 'Free $$$' }) })
  return { token, organization: ((await answer.json()) as { id: string }).id }
}

function basic(email: string): string {
  return `Basic ${Buffer.from(`${email}:${platform.info.demo.password}`).toString('base64')}`
}

async function countRows() {
  const count = async (rows: string, values: unknown[] = []) =>
    Number((await db.query(`SELECT count(*) FROM ${rows}`, values)).rows[0].count)
  return {
    mailsToVictim: await count("mail WHERE recipient = $1 AND subject NOT LIKE 'Sign-in%'", [victim]),
    mailsToStrangers: await count("mail WHERE recipient LIKE '%@flood.example'"),
    users: await count('"user"'),
    invitations: await count('invitation'),
    attempts: await count('attempt'),
    securityEvents: await count('security_event'),
  }
}
