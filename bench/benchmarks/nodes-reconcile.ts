import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import pg from 'pg'
import { startBenchPlatform } from '../src/platform.ts'
import { cpuSeconds, peakMebibytes, startScript } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'

// A thousand nodes: how long until all are ready, what it costs to reconcile them when nothing changes, and how long until all are
// ready again after the reconciler and every machine were killed.

const NODES = 1_000
const STEADY_SECONDS = 60
const MIGRATIONS = new URL('../../prisma/nodes/migrations', import.meta.url).pathname

const platform = await startBenchPlatform(['accounts'])
const url = Object.assign(new URL(platform.info.postgres), { username: 'trestle_nodes', password: randomBytes(18).toString('hex') }).href
await provision({ adminUrl: platform.info.postgres, url, schema: 'nodes' })
await migrate({ url, schema: 'nodes', folder: MIGRATIONS })
const db = new pg.Client(platform.info.postgres)
await db.connect()
const stub = await startScript('./stub-machine.ts')

const first = await startScript('./idle-nodes.ts', url, stub.url, String(NODES))
const created = await untilObserved(new Date(0))
await pause(5_000)
const before = cpuSeconds(first.pid)
await pause(STEADY_SECONDS * 1000)
const share = ((cpuSeconds(first.pid) - before) / STEADY_SECONDS) * 100
const peak = peakMebibytes(first.pid)
process.kill(first.pid, 'SIGKILL')
const killedAt = await now()
const second = await startScript('./idle-nodes.ts', url, stub.url)
const recovered = await untilObserved(killedAt)
await second.stop()
await stub.stop()
await db.end()
await platform.stop()

report({
  name: 'nodes reconcile',
  target: `${NODES} idle nodes take at most 5 % of a core, and all are ready again within 60 s of a restart`,
  met: share <= 5 && recovered <= 60,
  rows: [
    { what: 'all created', seconds: rounded(created) },
    { what: 'idle', '% of a core': rounded(share, 2), 'peak RSS MiB': Math.round(peak) },
    { what: 'all created again after kill -9 of everything', seconds: rounded(recovered) },
  ],
})

/** Seconds until every node is ready and was observed after `since`. */
async function untilObserved(since: Date): Promise<number> {
  const started = performance.now()
  const text = "SELECT count(*)::int AS count FROM nodes.workload_machine WHERE phase = 'ready' AND observed_at > $1"
  while ((await db.query<{ count: number }>(text, [since])).rows[0]?.count !== NODES) await pause(100)
  return (performance.now() - started) / 1000
}

async function now(): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  return rows[0]?.now ?? new Date()
}
