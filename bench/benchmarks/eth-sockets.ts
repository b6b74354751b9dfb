import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { guard, release } from '@trestle/devnet/guard'
import { startEthGateway, startStubNode } from '../src/eth-gateway.ts'
import { quantile } from '../src/load.ts'
import { startPlatform } from '../src/platform.ts'
import { cpuSeconds, residentMebibytes } from '../src/process.ts'
import { report, rounded } from '../src/verdict.ts'

// 5,000 WebSockets that listen to new heads, and a node that tells one subscriber of them: how long it takes until the last caller has heard.

const LISTENERS = 5000
const PROCESSES = 2
const HEADS = 40
const HEAD_MS = 1000
const MOST_MS = 250

const platform = await startPlatform(['accounts'])
const node = await startStubNode()
const gateway = await startEthGateway(platform, node)
const url = `${gateway.url.replace('http', 'ws')}${await gateway.project()}`
await node.ask('bench_mine')
await pause(2000)

const before = residentMebibytes(gateway.pid)
const processes = Array.from({ length: PROCESSES }, startListeners)
for (const child of processes) await told(child)
await pause(5000)
const memory = residentMebibytes(gateway.pid) - before

const cpuBefore = cpuSeconds(gateway.pid)
const toldAt: number[] = []
for (let head = 0; head < HEADS; head++) {
  toldAt.push((await node.ask<{ toldAt: number }>('bench_mine')).toldAt)
  await pause(HEAD_MS)
}
const cpu = cpuSeconds(gateway.pid) - cpuBefore
const { subscriptions } = await node.ask<{ subscriptions: number }>('bench_asked')
const heard: number[][][] = []
for (const child of processes) {
  const answer = told(child)
  child.send('report')
  heard.push((await answer) as number[][])
}
for (const child of processes) {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
  release(child.pid ?? 0)
}
for (const each of [gateway, node, platform]) await each.stop()

const perHead = toldAt.map((at, head) => heard.flatMap((process) => process[head] ?? []).map((millis) => millis - at))
const all = perHead.flat().sort((a, b) => a - b)
const last = perHead.map((millis) => Math.max(...millis)).sort((a, b) => a - b)
const isComplete = perHead.every(({ length }) => length === LISTENERS)
report({
  name: 'eth sockets',
  target: `${LISTENERS} subscribers hear of a new head with a p99 of at most ${MOST_MS} ms, from one subscription at the node`,
  met: isComplete && subscriptions === 1 && quantile(all, 0.99) <= MOST_MS,
  rows: [
    {
      subscribers: LISTENERS,
      heads: HEADS,
      heard: all.length,
      'subscriptions at the node': subscriptions,
      'p50 ms': rounded(quantile(all, 0.5)),
      'p99 ms': rounded(quantile(all, 0.99)),
      'last one, p50 ms': rounded(quantile(last, 0.5)),
      'last one, most ms': rounded(last.at(-1) ?? Number.NaN),
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

/** What it says next. */
async function told(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the listeners have ended')))
  return Promise.race([once(child, 'message').then(([message]) => message as unknown), ended])
}
