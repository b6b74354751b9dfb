import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { testNats } from '@trestle/testing/nats'
import type { LimitedFigures, LimitedProcesses } from '../src/limited-processes.ts'
import { report, rounded } from '../src/report.ts'

// One limit over many processes that report to each other over NATS. One of them is measured by itself; the others share a process, each with what it has of its own.

const LOADS = ['even', 'skewed', 'moving'] as const
const PROCESSES = [1, 10, 100]
const SECONDS = 10
const WARM_UP_SECONDS = 5
const LIMIT = { perSecond: 50_000, cost: 26 }
const MAX_CPU = 0.1
const MAX_BYTES = 200_000
const PROGRAM = new URL('../src/limited-processes.ts', import.meta.url).pathname

const nats = await testNats()
const rows = []
for (const processes of PROCESSES) for (const load of LOADS) rows.push(await measured(processes, load))
await nats.stop()

async function measured(processes: number, load: LimitedProcesses['load']) {
  const measuredFrom = Date.now() + WARM_UP_SECONDS * 1000
  const settings = { server: nats.administrator, load, processes, ...LIMIT, measuredFrom, measuredTo: measuredFrom + SECONDS * 1000 }
  const [one, others] = await Promise.all([
    run({ ...settings, from: 0, to: 1 }),
    processes > 1 ? run({ ...settings, from: 1, to: processes }) : undefined,
  ])
  return {
    processes,
    load,
    'admitted %': rounded(((one.admitted + (others?.admitted ?? 0)) / (LIMIT.perSecond * SECONDS)) * 100),
    'CPU % of a process': rounded((one.cpuSeconds / SECONDS) * 100),
    'reports/s in': rounded(one.reportsIn / SECONDS),
    'bytes/s in': Math.round(one.bytesIn / SECONDS),
    'bytes/s out': Math.round(one.bytesOut / SECONDS),
  }
}

async function run(settings: LimitedProcesses): Promise<LimitedFigures> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout)) as LimitedFigures
}

report({
  name: 'eth limits',
  target: `1 to 100 processes that are asked for 1.5 times a limit admit 97 to 103 % of it; reports take at most ${MAX_CPU * 100} % of a core and ${MAX_BYTES} bytes a second in each`,
  met: rows.every(
    (row) => Math.abs(row['admitted %'] - 100) <= 3 && row['CPU % of a process'] <= MAX_CPU * 100 && row['bytes/s in'] <= MAX_BYTES,
  ),
  rows,
})
