import { Pool } from 'undici'
import { cpuSeconds, familyCpuSeconds } from './process.ts'

export interface Load {
  readonly origin: string
  /** Several are requested in turn. */
  readonly path: string | readonly string[]
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly connections: number
  readonly seconds: number
  /** The process whose CPU is counted. */
  readonly pid: number
  /** The Postgres behind it, if its CPU counts too. */
  readonly postgresPid?: number
}

export interface Measured {
  readonly requests: number
  readonly perSecond: number
  readonly cpuMicrosPerRequest: number
  readonly p50: number
  readonly p99: number
  readonly failures: number
}

/** Closed-loop load: every connection sends the next request when it has the answer. */
export async function measure(load: Load): Promise<Measured> {
  const { origin, method = 'GET', headers, body } = load
  const paths = [load.path].flat()
  const pool = new Pool(origin, { connections: load.connections, pipelining: 1 })
  const millis: number[] = []
  let failures = 0
  let turn = 0
  const until = performance.now() + load.seconds * 1000
  const cpuBefore = cpuOf(load)
  const started = performance.now()
  const connection = async () => {
    while (performance.now() < until) {
      const asked = performance.now()
      const path = paths[turn++ % paths.length] ?? '/'
      const answer = await pool.request({ path, method, headers, body })
      await answer.body.dump()
      if (answer.statusCode >= 400) failures++
      millis.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: load.connections }, connection))
  const seconds = (performance.now() - started) / 1000
  const cpu = cpuOf(load) - cpuBefore
  await pool.close()
  return measured(millis, { seconds, cpu, failures })
}

/** The summary of requests, from the milliseconds that each took. */
export function measured(millis: number[], { seconds, cpu, failures }: { seconds: number; cpu: number; failures: number }): Measured {
  millis.sort((a, b) => a - b)
  return {
    requests: millis.length,
    perSecond: millis.length / seconds,
    cpuMicrosPerRequest: (cpu / millis.length) * 1e6,
    p50: quantile(millis, 0.5),
    p99: quantile(millis, 0.99),
    failures,
  }
}

function cpuOf({ pid, postgresPid }: Load): number {
  return cpuSeconds(pid) + (postgresPid ? familyCpuSeconds(postgresPid) : 0)
}

/** The q-quantile of sorted values. */
export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

/** The median of several runs, by CPU per request. */
export function median(runs: readonly Measured[]): Measured {
  const sorted = [...runs].sort((a, b) => a.cpuMicrosPerRequest - b.cpuMicrosPerRequest)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('there are no runs')
  return middle
}
