import { type Dispatcher, Pool } from 'undici'
import { type Measured, measured } from './load.ts'
import { cpuSeconds } from './process.ts'

export interface RpcLoad {
  readonly origin: string
  readonly path: string
  readonly headers?: Record<string, string>
  /** The next call. */
  readonly body: () => string
  /** The length of the right answer: an error would be shorter, and faster. */
  readonly bytes: number
  readonly connections: number
  readonly seconds: number
  /** The process whose CPU is counted. */
  readonly pid: number
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Closed-loop load: every connection sends the next call when it has the answer. */
export async function measureCalls(load: RpcLoad): Promise<Measured> {
  const pool = new Pool(load.origin, { connections: load.connections, pipelining: 1 })
  const headers = { ...JSON_TYPE, ...load.headers }
  const millis: number[] = []
  let failures = 0
  const cpuBefore = cpuSeconds(load.pid)
  const started = performance.now()
  const until = started + load.seconds * 1000
  const connection = async () => {
    while (performance.now() < until) {
      const asked = performance.now()
      const received = await send(pool, { method: 'POST', path: load.path, headers, body: load.body() })
      millis.push(performance.now() - asked)
      if (received !== load.bytes) failures++
    }
  }
  await Promise.all(Array.from({ length: load.connections }, connection))
  const seconds = (performance.now() - started) / 1000
  const cpu = cpuSeconds(load.pid) - cpuBefore
  await pool.destroy()
  return measured(millis, { seconds, cpu, failures })
}

/** The length of the answer; -1 if it failed. */
function send(pool: Pool, request: Dispatcher.DispatchOptions): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0
    let isAnswer = false
    pool.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, status) {
        isAnswer = status === 200
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length
      },
      onResponseEnd: () => resolve(isAnswer ? bytes : -1),
      onResponseError: () => resolve(-1),
    })
  })
}
