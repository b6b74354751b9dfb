import { setTimeout as pause } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { type Measured, quantile } from './load.ts'
import { cpuSeconds } from './process.ts'

export interface RpcLoad {
  readonly origin: string
  readonly path: string
  readonly headers?: Record<string, string>
  /** The next call. */
  readonly body: () => string
  /** What the right answer measures: an error would be shorter, and quicker. */
  readonly bytes: number
  readonly connections: number
  readonly seconds: number
  /** The process whose CPU is charged. */
  readonly pid: number
}

const JSON_TYPE = { 'content-type': 'application/json' }
/** At a fixed rate somebody who is slow must not keep others from calling. */
const MANY_CONNECTIONS = 512
const TICK_MS = 1

/** Closed-loop load: every connection asks again as soon as it is answered. */
export function measureCalls(load: RpcLoad): Promise<Measured> {
  return watched(load, load.connections, async (call, begin) => {
    begin()
    const until = performance.now() + load.seconds * 1000
    const connection = async () => {
      while (performance.now() < until) await call()
    }
    await Promise.all(Array.from({ length: load.connections }, connection))
  })
}

/**
 * Open-loop load: so many calls a second, whether those before are answered or not. It has gone on for a while when measuring begins:
 * what opening the connections costs either side is not what a call takes.
 */
export function measureAt(perSecond: number, load: RpcLoad, warmSeconds: number): Promise<Measured> {
  return watched(load, MANY_CONNECTIONS, async (call, begin) => {
    await paced(perSecond, warmSeconds, call)
    begin()
    await paced(perSecond, load.seconds, call)
  })
}

async function paced(perSecond: number, seconds: number, call: () => Promise<void>): Promise<void> {
  const started = performance.now()
  const under: Promise<void>[] = []
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - started) {
    while (under.length < (elapsed / 1000) * perSecond) under.push(call())
    await pause(TICK_MS)
  }
  await Promise.all(under)
}

type Run = (call: () => Promise<void>, begin: () => void) => Promise<void>

async function watched(load: RpcLoad, connections: number, run: Run): Promise<Measured> {
  const pool = new Pool(load.origin, { connections, pipelining: 1 })
  const headers = { ...JSON_TYPE, ...load.headers }
  let millis: number[] = []
  let failures = 0
  let cpuBefore = 0
  let started = 0
  const call = async () => {
    const asked = performance.now()
    const received = await send(pool, { method: 'POST', path: load.path, headers, body: load.body() })
    millis.push(performance.now() - asked)
    if (received !== load.bytes) failures++
  }
  await run(call, () => {
    millis = []
    cpuBefore = cpuSeconds(load.pid)
    started = performance.now()
  })
  const seconds = (performance.now() - started) / 1000
  const cpu = cpuSeconds(load.pid) - cpuBefore
  await pool.destroy()
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

/** Answers how many bytes came back; -1 where it was no answer. */
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
