import 'reflect-metadata'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type NatsConnection as Client, connect } from '@nats-io/transport-node'
import { migrate } from '@trestle/database/migrate'
import { createPool } from '@trestle/database/pool'
import { provision } from '@trestle/database/provision'
import { startPostgres } from '@trestle/devnet/postgres'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { OutboxRelay } from '@trestle/messaging/outbox-relay'
import { Signatures } from '@trestle/messaging/signatures'
import { StreamFailures } from '@trestle/messaging/stream-failures'
import { Streams } from '@trestle/messaging/streams'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { startNatsCluster } from '@trestle/testing/nats-cluster'
import type { Pool } from 'pg'
import { report, rounded } from '../src/report.ts'

// Domain events that wait in one service's outbox, until a stream on three servers has them all. The floor publishes the same bytes
// to the same cluster, as many at a time, and does nothing else.

const EVENTS = 60_000
const KEYS = 2_000
const AT_ONCE = 1_000
const PER_SECOND = 10_000
// Where publishing alone does not reach it either.
const OF_FLOOR = 0.6
const TEXT = 'x'.repeat(200)

interface Run {
  readonly perSecond: number
  readonly cpuMicros: number
}

const dir = mkdtempSync(join(tmpdir(), 'trestle-bench-'))
const postgres = await startPostgres({ dir })
const cluster = await startNatsCluster()
const client = await connect({ servers: cluster.url.split(',').map((server) => new URL(server).host) })
const manager = await jetstreamManager(client, { checkAPI: false })
for (const name of ['BENCH', 'FLOOR']) await addStream(manager, name)
const pool = await outboxOf(EVENTS)

const floor = await measured(() => publishPlainly(client))
const relayed = await measured(() => relay(pool))
const { state } = await manager.streams.info('BENCH')
await client.close()
await pool.end()
await cluster.stop()
await postgres.stop()
rmSync(dir, { recursive: true, force: true })

report({
  name: 'outbox',
  target: `${PER_SECOND.toLocaleString('en')} domain events a second through one service into a stream on three servers, each once; or ${OF_FLOOR} of a slower floor`,
  met: relayed.perSecond >= Math.min(PER_SECOND, OF_FLOOR * floor.perSecond) && state.messages === EVENTS,
  rows: [
    {
      events: EVENTS,
      stored: state.messages,
      'events/s': Math.round(relayed.perSecond),
      'CPU us/event': rounded(relayed.cpuMicros),
      'floor/s': Math.round(floor.perSecond),
      'floor CPU us': rounded(floor.cpuMicros),
      'of the floor': rounded(relayed.perSecond / floor.perSecond, 2),
    },
  ],
})

/** Of this process. */
async function measured(work: () => Promise<void>): Promise<Run> {
  const cpu = process.cpuUsage()
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: EVENTS / seconds, cpuMicros: (user + system) / EVENTS }
}

async function publishPlainly(client: Client): Promise<void> {
  const js = jetstream(client)
  let left = EVENTS
  const publish = async () => {
    while (left-- > 0) await js.publish('floor', JSON.stringify({ n: left, text: TEXT }), { msgID: String(left) })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, publish))
}

async function relay(pool: Pool): Promise<void> {
  const logger = createLogger('bench', 'warn')
  const metrics = new Metrics()
  const lifecycle = new Lifecycle(logger)
  const options = { service: 'bench', natsUrl: cluster.url, trustRoots: [], schema: 'bench' }
  const connection = new NatsConnection(options, logger, metrics, lifecycle)
  const streams = new Streams(connection, new Signatures(options, logger, metrics), new StreamFailures(logger, metrics))
  const outbox = new OutboxRelay(pool, streams, logger, lifecycle)
  connection.onModuleInit()
  outbox.onApplicationBootstrap()
  const isEmpty = async () => (await pool.query('SELECT FROM outbox WHERE published_at IS NULL LIMIT 1')).rowCount === 0
  while (!(await isEmpty())) await pause(50)
  await lifecycle.run('flush')
  await lifecycle.run('close')
}

async function addStream(manager: JetStreamManager, name: string): Promise<void> {
  const add = () => manager.streams.add({ name, subjects: [name.toLowerCase()], num_replicas: 3 })
  // The servers have to find one another first.
  while (!(await add().catch(() => undefined))) await pause(200)
  while (!(await manager.streams.info(name)).cluster?.leader) await pause(100)
}

async function outboxOf(events: number): Promise<Pool> {
  const url = Object.assign(new URL(postgres.url), { username: 'bench', password: 'secret', pathname: 'bench' }).href
  await provision({ adminUrl: postgres.url, url, schema: 'bench' })
  await migrate({ url, schema: 'bench', folder: fileURLToPath(new URL('../../packages/messaging/test/migrations', import.meta.url)) })
  const pool = createPool({ url, schema: 'bench', statementMs: 60_000 })
  await pool.query(
    `INSERT INTO outbox (subject, payload, headers, key)
     SELECT 'bench', jsonb_build_object('n', n, 'text', $3::text), '{"Fact-Stream":"BENCH"}', n % $2
     FROM generate_series(1, $1) AS n`,
    [events, KEYS, TEXT],
  )
  return pool
}
