import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { jetstream } from '@nats-io/jetstream'
import { connect, nkeyAuthenticator } from '@nats-io/transport-node'
import { inboxPrefix } from '@trestle/contracts/nats/identities'
import { natsSeed } from '@trestle/devnet/nats-identities'
import { Secrets } from '@trestle/devnet/secrets'
import pg from 'pg'
import { startBenchPlatform } from '../src/platform.ts'
import { cpuSeconds } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'

// Activity records published to JetStream at a fixed rate, as by every service, until accounts has stored them in Postgres: none may be lost.

const PER_SECOND = 6000
const SECONDS = 20
const PER_MESSAGE = 200

const platform = await startBenchPlatform(['accounts'])
const seed = natsSeed(new Secrets(platform.dataDir), 'eth')
const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed))
const nats = await connect({ servers: platform.info.nats, authenticator, inboxPrefix: inboxPrefix('eth') })
const js = jetstream(nats)
const db = new pg.Client({ connectionString: platform.info.postgres })
await db.connect()

const user = `user-${randomUUID()}`
const total = PER_SECOND * SECONDS
const cpuBefore = cpuSeconds(platform.accounts.pid)
const started = performance.now()
let lateMs = 0
for (let sent = 0; sent < total; sent += PER_MESSAGE) {
  const due = started + (sent / PER_SECOND) * 1000
  if (due > performance.now()) await pause(due - performance.now())
  lateMs = Math.max(lateMs, performance.now() - due)
  await js.publish('eth.activity.recorded', JSON.stringify({ activities: Array.from({ length: PER_MESSAGE }, () => activity(user)) }))
}
const publishSeconds = (performance.now() - started) / 1000
while ((await stored()) < total && performance.now() - started < SECONDS * 3000) await pause(100)
const storedCount = await stored()
const taken = (performance.now() - started) / 1000
const cpu = cpuSeconds(platform.accounts.pid) - cpuBefore
await db.end()
await nats.close()
await platform.stop()

report({
  name: 'events ingest',
  target: '5,000 activity records a second reach Postgres, none lost, none duplicated',
  met: storedCount === total && total / taken >= 5000,
  rows: [
    {
      published: total,
      stored: storedCount,
      'published/s': Math.round(total / publishSeconds),
      'stored/s': Math.round(total / taken),
      'lag at the end s': rounded(taken - publishSeconds, 2),
      'CPU us/record': rounded((cpu / total) * 1e6),
      'behind schedule ms': Math.round(lateMs),
    },
  ],
})

async function stored(): Promise<number> {
  const { rows } = await db.query<{ count: string }>('SELECT count(*) FROM accounts.event WHERE user_id = $1', [user])
  return Number(rows[0]?.count)
}

function activity(userId: string) {
  const now = new Date().toISOString()
  return {
    id: `event-${randomUUID()}`,
    user: userId,
    service: 'eth-rpc',
    input: { method: 'POST', route: '/v1/{projectId}', params: {}, query: {} },
    output: { startTime: now, endTime: now, httpStatusCode: 200, bytesOut: 512 },
    serviceData: {},
    createdAt: now,
  }
}
