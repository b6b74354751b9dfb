import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { debianProgram } from '@trestle/devnet/debian'
import type { Measured } from './load.ts'
import { cpuSeconds } from './process.ts'
import type { RpcLoad } from './rpc-load.ts'

// Many, so that a waiting one delays few others; in threads that are not synchronized, or all would call in the same
// millisecond.
const CALLERS = 128
const THREADS = 8
const WRK = { package: 'wrk', path: 'usr/bin/wrk', withLibraries: 'and loader' } as const
const SCRIPT = fileURLToPath(new URL('paced-load.lua', import.meta.url))

interface Told {
  readonly requests: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
  readonly failures: number
}

/**
 * A number of calls a second on average, at random times, made by wrk: a load generator in Node costs as much as what it measures, and on
 * few cores each waits for the other.
 */
export async function measureAt(perSecond: number, load: RpcLoad): Promise<Measured> {
  const { origin, path, seconds, bytes, pid } = load
  const wrk = await debianProgram(WRK).catch((error: Error) => {
    throw new Error(`wrk, which makes the load, is not available: ${error.message}`)
  })
  const folder = mkdtempSync(join(tmpdir(), 'paced-load-'))
  const bodies = join(folder, 'bodies')
  writeFileSync(bodies, Array.from({ length: perSecond * seconds * 2 }, load.body).join('\n'))
  const options = [`-t${THREADS}`, `-c${CALLERS}`, `-d${seconds}`, '-s', SCRIPT, origin + path]
  const script = [bodies, (CALLERS / perSecond) * 1000, bytes, THREADS].map(String)
  const cpuBefore = cpuSeconds(pid)
  const { stdout } = await promisify(execFile)(wrk, [...options, '--', ...script])
  const cpu = cpuSeconds(pid) - cpuBefore
  rmSync(folder, { recursive: true })
  const told = JSON.parse(stdout.slice(stdout.lastIndexOf('{'))) as Told
  return { ...told, perSecond: told.requests / told.seconds, cpuMicrosPerRequest: (cpu / told.requests) * 1e6 }
}
