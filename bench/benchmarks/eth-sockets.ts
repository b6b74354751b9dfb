import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { guard, release } from '@trestle/devnet/guard'
import { startEthGateway, startStubNode } from '../src/eth-gateway.ts'
import { quantile } from '../src/load.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { cpuSeconds, residentMebibytes } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'

// 5,000 WebSockets subscribed to new heads, and a node with one subscriber: how long until the last caller receives a head.

const LISTENERS = 5000
const PROCESSES = 2
const HEADS = 40
const HEAD_MS = 1000
const MAX_MS = 250

const platform = await startBenchPlatform(['accounts'])
const node = await startStubNode()
const gateway = await startEthGateway(platform, node)
const url = `${gateway.url.replace('http', 'ws')}${await gateway.project()}`
await node.ask('bench_mine')
await pause(2000)

const before = residentMebibytes(gateway.pid)
const processes = Array.from({ length: PROCESSES }, startListeners)
for (const child of processes) await nextMessage(child)
await pause(5000)
const memory = residentMebibytes(gateway.pid) - before

const cpuBefore = cpuSeconds(gateway.pid)
const sentAt: number[] = []
for (let head = 0; head < HEADS; head++) {
  sentAt.push((await node.ask<{ sentAt: number }>('bench_mine')).sentAt)
  await pause(HEAD_MS)
}
const cpu = cpuSeconds(gateway.pid) - cpuBefore
const { subscriptions } = await node.ask<{ subscriptions: number }>('bench_counts')
const received: number[][][] = []
for (const child of processes) {
  const answer = nextMessage(child)
  child.send('report')
  received.push((await answer) as number[][])
}
for (const child of processes) {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
  release(child.pid ?? 0)
}
for (const each of [gateway, node, platform]) await each.stop()

const perHead = sentAt.map((at, head) => received.flatMap((process) => process[head] ?? []).map((millis) => millis - at))
const all = perHead.flat().sort((a, b) => a - b)
const last = perHead.map((millis) => Math.max(...millis)).sort((a, b) => a - b)
const isComplete = perHead.every(({ length }) => length === LISTENERS)
report({
  name: 'eth sockets',
  target: `${LISTENERS} subscribers receive a new head with a p99 of at most ${MAX_MS} ms, from one subscription at the node`,
  met: isComplete && subscriptions === 1 && quantile(all, 0.99) <= MAX_MS,
  rows: [
    {
      subscribers: LISTENERS,
      heads: HEADS,
      received: all.length,
      'subscriptions at the node': subscriptions,
      'p50 ms': rounded(quantile(all, 0.5)),
      'p99 ms': rounded(quantile(all, 0.99)),
      'last one, p50 ms': rounded(quantile(last, 0.5)),
      'last one, max ms': rounded(last.at(-1) ?? Number.NaN),
      'KiB/connection': rounded((memory * 1024) / LISTENERS),
      'CPU us/notification': rounded((cpu / all.length) * 1e6),
    },
  ],
})

function startListeners(): ChildProcess {
  const child = fork(new URL('../src/head-listeners.ts', import.meta.url), [url, String(LISTENERS / PROCESSES)], {
    serialization: 'advanced',
  })
  guard(child.pid ?? 0, 'SIGTERM')
  return child
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the listeners exited')))
  return Promise.race([once(child, 'message').then(([message]) => message as unknown), ended])
}
