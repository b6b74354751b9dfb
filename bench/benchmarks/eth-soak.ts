import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from '@trestle/devnet/ports'
import { WebSocket } from 'ws'
import { ChainCalls } from '../src/chain-calls.ts'
import { quantile } from '../src/load.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { residentMebibytes } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'

// Ten minutes, or SOAK_MINUTES, of mixed load in front of three nodes with a growing chain: calls at a fixed rate, callers that
// subscribe and disconnect, filters that are polled and abandoned. The cache is small, so that it fills soon; then memory must not grow.

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10)
const PER_SECOND = 500
const SOCKETS = 50
const SAMPLE_MS = 2000
const MAX_GROWTH = 1.1
const CACHE_MB = '8'

/** In MiB. */
interface Memory {
  readonly live: number
  readonly resident: number
}

const platform = await startBenchPlatform(['eth'])
const { projectUrl = '', token } = platform.info.ethereum.eth ?? { token: '' }
const [memoryPort = 0] = await freePorts(1)
const heapServer = new URL('../src/heap-server.ts', import.meta.url)
const gateway = await platform.startReplica('eth', {
  CACHE_MB,
  MEMORY_PORT: String(memoryPort),
  NODE_OPTIONS: `--expose-gc --import=${heapServer}`,
})
const url = gateway.url + new URL(projectUrl).pathname.replace('/eth', '')
const calls = new ChainCalls(url, token)
await calls.refresh()

const end = performance.now() + MINUTES * 60_000
let sent = 0
const [, [, middle, late]] = await Promise.all([
  callAtRate(),
  watchMemory(),
  ...Array.from({ length: SOCKETS }, connectAndDrop),
  useFilters(),
])
await calls.close()
await gateway.stop()
await platform.stop()

const millis = calls.millis.sort((a, b) => a - b)
report({
  name: 'eth soak',
  target: `in ${MINUTES} minutes of mixed load neither the live heap nor the peak resident memory grows by more than ${MAX_GROWTH} times in the last third, and no call fails`,
  met: late.live <= middle.live * MAX_GROWTH && late.resident <= middle.resident * MAX_GROWTH && calls.failures === 0,
  rows: [
    {
      minutes: MINUTES,
      calls: sent,
      failures: calls.failures,
      'p50 ms': rounded(quantile(millis, 0.5), 2),
      'p99 ms': rounded(quantile(millis, 0.99), 2),
      'live MiB after two thirds': rounded(middle.live),
      'at the end': rounded(late.live),
      'peak resident MiB, second third': rounded(middle.resident),
      'last third': rounded(late.resident),
    },
  ],
})

function isOver(): boolean {
  return performance.now() >= end
}

async function callAtRate(): Promise<void> {
  const started = performance.now()
  let refreshedAt = started
  const inFlight = new Set<Promise<void>>()
  while (!isOver()) {
    const due = ((performance.now() - started) / 1000) * PER_SECOND
    for (; sent < due; sent++) {
      const call = calls.next().finally(() => inFlight.delete(call))
      inFlight.add(call)
    }
    if (performance.now() - refreshedAt > 1000) {
      refreshedAt = performance.now()
      void calls.refresh().catch(() => calls.failures++)
    }
    await pause(2)
  }
  await Promise.all(inFlight)
}

/** Subscribes to heads and logs, listens for some seconds, and drops the connection. */
async function connectAndDrop(): Promise<void> {
  while (!isOver()) {
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false })
    socket.on('error', () => calls.failures++)
    socket.on('open', () => {
      socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
      socket.send('{"jsonrpc":"2.0","id":2,"method":"eth_subscribe","params":["logs",{}]}')
    })
    await pause(5000 + Math.random() * 10_000)
    socket.terminate()
  }
}

async function useFilters(): Promise<void> {
  while (!isOver()) {
    const filter = await calls.ask('eth_newFilter', [{}])
    for (let asked = 0; asked < 5; asked++) {
      await pause(1000)
      await calls.ask('eth_getFilterChanges', [filter])
    }
  }
}

/** The peak resident memory of each third, and the live heap at its end, after a collection. */
async function watchMemory(): Promise<[Memory, Memory, Memory]> {
  const third = async (left: number): Promise<Memory> => {
    let resident = 0
    for (const until = end - (MINUTES * 60_000 * left) / 3; performance.now() < until; await pause(SAMPLE_MS))
      resident = Math.max(resident, residentMebibytes(gateway.pid))
    const live = Number(await (await fetch(`http://127.0.0.1:${memoryPort}`)).text()) / 2 ** 20
    return { live, resident }
  }
  return [await third(2), await third(1), await third(0)]
}
