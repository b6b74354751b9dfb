import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import pg from 'pg'
import { startPlatform } from '../src/platform.ts'
import { cpuSeconds, peakMebibytes, startRival } from '../src/process.ts'
import { report, rounded } from '../src/verdict.ts'

// A thousand nodes: how long until all of them are there, what it costs to look after them when nothing happens, and how long until all are
// there again after the reconciler and every machine have died.

const NODES = 1_000
const STEADY_SECONDS = 60
const MIGRATIONS = new URL('../../prisma/nodes/migrations', import.meta.url).pathname

const platform = await startPlatform(['accounts'])
const url = Object.assign(new URL(platform.info.postgres), { username: 'trestle_nodes', password: randomBytes(18).toString('hex') }).href
await provision({ adminUrl: platform.info.postgres, url, schema: 'nodes' })
await migrate({ url, schema: 'nodes', folder: MIGRATIONS })
const db = new pg.Client(platform.info.postgres)
await db.connect()
const stub = await startRival('./stub-machine.ts')

const first = await startRival('./idle-fleet.ts', url, stub.url, String(NODES))
const made = await untilSeen(new Date(0))
await pause(5_000)
const before = cpuSeconds(first.pid)
await pause(STEADY_SECONDS * 1000)
const share = ((cpuSeconds(first.pid) - before) / STEADY_SECONDS) * 100
const peak = peakMebibytes(first.pid)
process.kill(first.pid, 'SIGKILL')
const killedAt = await now()
const second = await startRival('./idle-fleet.ts', url, stub.url)
const back = await untilSeen(killedAt)
await second.stop()
await stub.stop()
await db.end()
await platform.stop()

report({
  name: 'nodes reconcile',
  target: `${NODES} nodes that stand still take at most 5 % of a core, and all are there again within 60 s of a restart`,
  met: share <= 5 && back <= 60,
  rows: [
    { what: 'all made', seconds: rounded(made) },
    { what: 'standing still', '% of a core': rounded(share, 2), 'peak RSS MiB': Math.round(peak) },
    { what: 'all made again after kill -9 of everything', seconds: rounded(back) },
  ],
})

/** Seconds until every node was seen, and is ready, since then. */
async function untilSeen(since: Date): Promise<number> {
  const begun = performance.now()
  const text = "SELECT count(*)::int AS count FROM nodes.machine WHERE phase = 'ready' AND seen_at > $1"
  while ((await db.query<{ count: number }>(text, [since])).rows[0]?.count !== NODES) await pause(100)
  return (performance.now() - begun) / 1000
}

async function now(): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  return rows[0]?.now ?? new Date()
}
