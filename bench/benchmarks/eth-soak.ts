import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { ChainCalls } from '../src/chain-calls.ts'
import { quantile } from '../src/load.ts'
import { startPlatform } from '../src/platform.ts'
import { report, rounded } from '../src/verdict.ts'

// Ten minutes, or SOAK_MINUTES, of everything at once in front of three nodes with a living chain: calls at a fixed rate, callers who
// subscribe and go again, filters that are asked and left behind. The cache is small, so that it is full soon; then memory stays as it is.

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10)
const PER_SECOND = 500
const SOCKETS = 50
const SAMPLE_MS = 2000
const MOST_GROWTH = 1.1
const CACHE_MB = '8'

interface Sample {
  readonly heap: number
  readonly resident: number
}

const platform = await startPlatform(['eth'])
const { projectUrl = '', token } = platform.info.ethereum.eth ?? { token: '' }
const gateway = await platform.startReplica('eth', { CACHE_MB })
const url = gateway.url + new URL(projectUrl).pathname.replace('/eth', '')
const calls = new ChainCalls(url, token)
await calls.look()

const end = performance.now() + MINUTES * 60_000
const samples: Sample[] = []
let sent = 0
await Promise.all([callAtRate(), ...Array.from({ length: SOCKETS }, comeAndGo), useFilters(), sample()])
await calls.close()
await gateway.stop()
await platform.stop()

// The least of a stretch is what garbage is not: between two collections the heap is whatever it happens to be.
const third = Math.floor(samples.length / 3)
const [, middle, late] = [0, 1, 2].map((i) => samples.slice(i * third, (i + 1) * third)) as [Sample[], Sample[], Sample[]]
const heap = { middle: least(middle, 'heap'), late: least(late, 'heap') }
const resident = { middle: middling(middle, 'resident'), late: middling(late, 'resident') }
const millis = calls.millis.sort((a, b) => a - b)
report({
  name: 'eth soak',
  target: `in ${MINUTES} minutes of mixed load neither heap nor memory of the last third are more than ${MOST_GROWTH} times those of the one before, and no call fails`,
  met: heap.late <= heap.middle * MOST_GROWTH && resident.late <= resident.middle * MOST_GROWTH && calls.failures === 0,
  rows: [
    {
      minutes: MINUTES,
      calls: sent,
      failures: calls.failures,
      'p50 ms': rounded(quantile(millis, 0.5), 2),
      'p99 ms': rounded(quantile(millis, 0.99), 2),
      'heap MiB, second third': rounded(heap.middle),
      'heap MiB, last third': rounded(heap.late),
      'resident MiB, second third': rounded(resident.middle),
      'resident MiB, last third': rounded(resident.late),
    },
  ],
})

function isOver(): boolean {
  return performance.now() >= end
}

async function callAtRate(): Promise<void> {
  const started = performance.now()
  let lookedAt = started
  const under = new Set<Promise<void>>()
  while (!isOver()) {
    const due = ((performance.now() - started) / 1000) * PER_SECOND
    for (; sent < due; sent++) {
      const call = calls.next().finally(() => under.delete(call))
      under.add(call)
    }
    if (performance.now() - lookedAt > 1000) {
      lookedAt = performance.now()
      void calls.look().catch(() => calls.failures++)
    }
    await pause(2)
  }
  await Promise.all(under)
}

/** Subscribes to heads and logs, listens for some seconds, and goes without a word. */
async function comeAndGo(): Promise<void> {
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

async function sample(): Promise<void> {
  while (!isOver()) {
    const text = await (await fetch(`${gateway.internalUrl}/metrics`)).text()
    samples.push({ heap: mebibytes(text, 'nodejs_heap_size_used_bytes'), resident: mebibytes(text, 'process_resident_memory_bytes') })
    await pause(SAMPLE_MS)
  }
}

function mebibytes(metrics: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) / 2 ** 20
}

function least(stretch: readonly Sample[], which: keyof Sample): number {
  return Math.min(...stretch.map((each) => each[which]))
}

function middling(stretch: readonly Sample[], which: keyof Sample): number {
  return quantile(
    stretch.map((each) => each[which]).sort((a, b) => a - b),
    0.5,
  )
}
