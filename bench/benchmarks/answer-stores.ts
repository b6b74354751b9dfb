import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool } from '@trestle/database/pool'
import { provision } from '@trestle/database/provision'
import { startNats } from '@trestle/devnet/nats'
import { startPostgres } from '@trestle/devnet/postgres'
import type { BenchStore, StoredEntry } from '../src/answer-stores/answer-store.ts'
import { NatsStore } from '../src/answer-stores/nats-store.ts'
import { startNodeCalls } from '../src/answer-stores/node-calls.ts'
import { POSTGRES_TABLES, PostgresStore } from '../src/answer-stores/postgres-store.ts'
import { RedisStore } from '../src/answer-stores/redis-store.ts'
import { quantile } from '../src/load.ts'
import { cpuSeconds, familyCpuSeconds } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'

// Where final answers may be kept for all processes of a deployment: what a read costs on both sides, beside the same answer of a node.
// Values look like answers: JSON of hashes, which hardly shrink.

const SIZES = [500, 8 * 1024, 70 * 1024]
const IN_FLIGHT = [1, 32]
/** Of a size. The first 64 are read no more often than the others. */
const BYTES_OF_A_SIZE = 24 * 2 ** 20
const BATCH = 64
const READ_MS = Number(process.env.READ_MS ?? 1_500)
/** Of what the gateway itself takes for a miss: a store that costs as much as a node's call saves nothing. */
const OF_A_NODE = 1

interface Row extends Record<string, string | number> {
  readonly store: string
  readonly bytes: number
  readonly 'in flight': number
}

const dir = mkdtempSync(join(tmpdir(), 'answer-stores-'))
const postgres = await startPostgres({ dir: join(dir, 'postgres') })
const nats = await startNats({ dir: join(dir, 'nats'), authorization: '' })
const url = Object.assign(new URL(postgres.url), { username: 'bench', password: 'secret', pathname: 'bench' }).href
await provision({ adminUrl: postgres.url, url, schema: 'bench' })
const pool = createPool({ url, schema: 'bench', statementMs: 60_000 })
const postgresCpu = () => familyCpuSeconds(postgres.pid)
const natsCpu = () => cpuSeconds(nats.pid)

const reads: Row[] = []
const writes: Row[] = []
for (const [kind, statements] of Object.entries(POSTGRES_TABLES)) {
  for (const statement of statements) await pool.query(statement)
  const table = /CREATE (?:UNLOGGED )?TABLE (\w+)/.exec(statements[0] ?? '')?.[1] ?? ''
  await measureStore(new PostgresStore(pool, kind, { table, serverCpu: postgresCpu }))
}
for (const bucket of ['memory', 'file'] as const) await measureStore(await NatsStore.open(nats.url, bucket, natsCpu))
const redis = await RedisStore.open()
if (redis) await measureStore(redis)
else console.log('There is no redis-server on this machine: it is left out.')
const node = await startNodeCalls()
for (const bytes of SIZES) for (const inFlight of IN_FLIGHT) reads.push(await measureReads(node, bytes, inFlight, [node.bodyOf(bytes)]))
await node.stop()
await pool.end()
await nats.stop()
await postgres.stop()
rmSync(dir, { recursive: true, force: true })

console.table(writes)
const cpuOf = (store: string, bytes: number) =>
  reads
    .filter((row) => row.store === store && row.bytes === bytes && row['in flight'] === 32)
    .map((row) => Number(row['client CPU us']) + Number(row['server CPU us']))[0] ?? Number.NaN
report({
  name: 'answer stores',
  target:
    'a read of the store that was chosen, of 32 in flight, costs both sides no more CPU than a node and its caller spend, of every size',
  met: SIZES.every((bytes) => cpuOf('Postgres, unlogged ring', bytes) <= OF_A_NODE * cpuOf('a node (anvil)', bytes)),
  rows: reads,
})

async function measureStore(store: BenchStore): Promise<void> {
  for (const bytes of SIZES) {
    const entries = entriesOf(bytes)
    writes.push(await measureWrites(store, bytes, entries))
    const keys = entries.map(({ key }) => key)
    for (const inFlight of IN_FLIGHT) reads.push(await measureReads(store, bytes, inFlight, keys))
    reads.push({
      ...(await measureReads(
        store,
        bytes,
        32,
        keys.map(() => randomBytes(16)),
      )),
      store: `${store.name}: misses`,
    })
  }
  await store.stop()
}

async function measureWrites(store: BenchStore, bytes: number, entries: readonly StoredEntry[]): Promise<Row> {
  const { seconds, client, server } = await costOf(store, async () => {
    for (let from = 0; from < entries.length; from += BATCH) await store.write(entries.slice(from, from + BATCH))
  })
  return {
    store: store.name,
    bytes,
    'in flight': BATCH,
    'writes/s': Math.round(entries.length / seconds),
    'client CPU us': rounded((client / entries.length) * 1e6),
    'server CPU us': rounded((server / entries.length) * 1e6),
  }
}

async function measureReads(store: BenchStore, bytes: number, inFlight: number, keys: readonly Buffer[]): Promise<Row> {
  const millis: number[] = []
  let at = 0
  let found = 0
  const cost = await costOf(store, async () => {
    const end = performance.now() + READ_MS
    const reader = async () => {
      while (performance.now() < end) {
        // Not in the order in which they were written.
        at = (at + 7919) % keys.length
        const began = performance.now()
        if (await store.read(keys[at] ?? Buffer.alloc(0))) found++
        millis.push(performance.now() - began)
      }
    }
    await Promise.all(Array.from({ length: inFlight }, reader))
  })
  millis.sort((a, b) => a - b)
  return {
    store: store.name,
    bytes,
    'in flight': inFlight,
    'reads/s': Math.round(millis.length / cost.seconds),
    'found %': Math.round((100 * found) / millis.length),
    'client CPU us': rounded((cost.client / millis.length) * 1e6),
    'server CPU us': rounded((cost.server / millis.length) * 1e6),
    'p50 ms': rounded(quantile(millis, 0.5), 2),
    'p99 ms': rounded(quantile(millis, 0.99), 2),
  }
}

async function costOf(store: BenchStore, work: () => Promise<void>) {
  const [server, cpu, began] = [store.cpuSeconds(), process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - began) / 1000, client: (user + system) / 1e6, server: store.cpuSeconds() - server }
}

function entriesOf(bytes: number): StoredEntry[] {
  return Array.from({ length: Math.ceil(BYTES_OF_A_SIZE / bytes) }, () => ({ key: randomBytes(16), value: answerOf(bytes) }))
}

function answerOf(bytes: number): Buffer {
  const log = () =>
    `{"address":"0x${'a1'.repeat(20)}","topics":["0x${randomBytes(32).toString('hex')}"],"data":"0x${'0'.repeat(48)}${randomBytes(8).toString('hex')}"},`
  let json = '['
  while (json.length < bytes) json += log()
  return Buffer.from(json.slice(0, bytes))
}
