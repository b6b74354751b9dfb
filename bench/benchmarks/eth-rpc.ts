import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startEthGateway, startStubNode } from '../src/eth-gateway.ts'
import { type Measured, median, quantile } from '../src/load.ts'
import { startNginx } from '../src/nginx.ts'
import { measureAt } from '../src/paced-load.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { type BenchProcess, peakMebibytes, residentMebibytes, startScript } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'
import { measureCalls, type RpcLoad } from '../src/rpc-load.ts'

// The same calls to the same node through four proxies: a bare hop of Node, nginx, idiomatic Nest, and the gateway
// with a project, limits and metering. CPU per call stays comparable on a busy machine; the arms take turns.

const ROUNDS = 7
const SECONDS = 2
// While an arm waits for its turn, it loses its cache lines, and idle memory may be reclaimed.
const WARM_SECONDS = 0.5
const PACED_SECONDS = 3
const LIMITS = { small: 1.6, medium: 1.4, large: 0.9, hitMicros: 30, peakMebibytes: 300, addedP50: 0.3, addedP99: 2 }

type Size = 'small' | 'medium' | 'large'
const CONNECTIONS: Record<Size, number> = { small: 32, medium: 16, large: 4 }
const METHOD: Record<Size, string> = { small: 'eth_getTransactionCount', medium: 'eth_call', large: 'eth_simulateV1' }

interface Arm {
  readonly name: string
  readonly size: Size | 'small hit' | 'medium hit'
  readonly load: RpcLoad
}

const platform = await startBenchPlatform(['accounts'])
const node = await startStubNode()
const bare = await startScript('./bare-hop.ts', node.url)
const nest = await startScript('./nest-proxy.ts', node.url)
const nginx = await startNginx(node.url, join(platform.dataDir, 'nginx')).catch((error: Error) => error)
const gateway = await startEthGateway(platform, node)
const project = await gateway.project()
const guarded = await gateway.project({ requireToken: true })
const authorization = `Bearer ${await platform.signIn()}`

const direct = await loadOf(node, 'small')
const proxies: [string, BenchProcess, string?][] = [
  ['bare Node hop', bare],
  ...(nginx instanceof Error ? [] : [['nginx', nginx] as [string, BenchProcess]]),
  ['idiomatic Nest', nest, '/v1/any'],
  ['gateway', gateway, project],
]
const answer: Arm = { name: 'bare Node, no hop', size: 'small', load: direct }
const arms: Arm[] = [answer]
for (const size of ['small', 'medium', 'large'] as const) {
  for (const [name, rival, path] of proxies) arms.push({ name, size, load: await loadOf(rival, size, path) })
  if (size !== 'small') continue
  const load = { ...(await loadOf(gateway, size, project)), path: guarded, headers: { authorization } }
  arms.push({ name: 'gateway, token too', size, load })
}
arms.push({ name: 'gateway', size: 'small hit', load: await hitsOf('eth_getBalance') })
arms.push({ name: 'gateway', size: 'medium hit', load: await hitsOf('eth_call') })

for (const { load } of arms) await measureCalls({ ...load, seconds: 1 })
const runs = new Map<Arm, Measured[]>(arms.map((arm) => [arm, []]))
const calls = { before: await callsOfNode(), through: 0 }
for (let round = 0; round < ROUNDS; round++) {
  for (const [arm, measured] of runs) {
    calls.before += await callsDuring(() => measureCalls({ ...arm.load, seconds: WARM_SECONDS }))
    const run = await measureCalls(arm.load)
    measured.push(run)
    if (!arm.size.endsWith('hit')) calls.through += run.requests
  }
}
const wentThrough = (await callsOfNode()) - calls.before

const hitMicros = of('gateway', 'small hit').cpuMicrosPerRequest
const ratios = {
  small: ratio('gateway', 'bare Node hop', 'small'),
  guarded: ratio('gateway, token too', 'bare Node hop', 'small'),
  medium: ratio('gateway', 'bare Node hop', 'medium'),
  large: ratio('gateway', 'bare Node hop', 'large'),
  hit: rounded(hitMicros / of(answer.name, 'small').cpuMicrosPerRequest, 2),
}
const memory = { peak: Math.round(peakMebibytes(gateway.pid)), after: Math.round(residentMebibytes(gateway.pid)) }
report({
  name: 'eth rpc',
  target:
    `a small answer takes at most ${LIMITS.small} times the CPU of a bare Node hop (${ratios.small}; ${ratios.guarded} with a token), one from the cache ${LIMITS.hitMicros} us ` +
    `(${rounded(hitMicros)}, ${ratios.hit} times that of an answer without a hop), one of 72 KB ${LIMITS.medium} times (${ratios.medium}) and one of 1.5 MB ${LIMITS.large} times ` +
    `that of the hop (${ratios.large}); in at most ${LIMITS.peakMebibytes} MiB (${memory.peak}); calls that must not be shared are not`,
  met:
    ratios.small <= LIMITS.small &&
    ratios.guarded <= LIMITS.small &&
    hitMicros <= LIMITS.hitMicros &&
    ratios.medium <= LIMITS.medium &&
    ratios.large <= LIMITS.large &&
    memory.peak <= LIMITS.peakMebibytes &&
    wentThrough === calls.through &&
    [...runs.values()].every(areAnswered),
  rows: [
    ...arms.map((arm) => rowOf(arm)),
    ...(nginx instanceof Error ? [{ arm: `nginx: ${nginx.message}` }] : []),
    { arm: 'memory of the gateway', 'MiB after it': memory.after, 'at its peak': memory.peak },
    { arm: 'calls at the node', requests: wentThrough, 'of them sent through': calls.through },
  ],
})

const busy = of('gateway', 'small').perSecond
const rate = Math.round(busy / 3)
const hit = arms.find(({ size }) => size === 'small hit') as Arm
const paced = [
  { name: 'the node itself', load: direct },
  ...arms.filter((arm) => arm.size === 'small' && arm !== answer && arm.name !== 'gateway, token too'),
  { name: 'gateway, cache hit', load: hit.load },
].map(({ name, load }) => ({ name, load, runs: [] as Measured[] }))
for (const { load } of paced) await measureAt(rate, { ...load, seconds: 1 })
for (let round = 0; round < ROUNDS; round++) {
  for (const { load, runs } of paced) runs.push(await measureAt(rate, { ...load, seconds: PACED_SECONDS }))
}

if (!(nginx instanceof Error)) await nginx.stop()
for (const each of [gateway, nest, bare, node, platform]) await each.stop()

const p50 = (name: string) => latency(name, 'p50')
const p99 = (name: string) => latency(name, 'p99')
const addedBy = (name: string) => ({ p50: p50(name) - p50('the node itself'), p99: p99(name) - p99('the node itself') })
const [added, addedByHop] = [addedBy('gateway'), addedBy('bare Node hop')]
const p99OfHop = rounded(p99('gateway') / p99('bare Node hop'), 2)
const isFaster = nginx instanceof Error || p50('gateway, cache hit') < p50('nginx')
report({
  name: 'eth rpc latency',
  target:
    `at a third of its load (${rate} a second at random times) the gateway adds at most ${LIMITS.addedP50} ms at p50 (${rounded(added.p50, 2)}) and ` +
    `${LIMITS.addedP99} ms at p99 (${rounded(added.p99, 2)}; a bare hop ${rounded(addedByHop.p50, 2)} and ${rounded(addedByHop.p99, 2)}; its p99 is ${p99OfHop} times the hop's), and answers from the cache faster than nginx in front of the node`,
  met: added.p50 <= LIMITS.addedP50 && added.p99 <= LIMITS.addedP99 && isFaster && paced.every(({ runs }) => areAnswered(runs)),
  rows: paced.map(({ name, runs }) => ({
    arm: name,
    'p50 ms': rounded(p50(name), 2),
    'added p50': rounded(addedBy(name).p50, 2),
    'p99 ms': rounded(p99(name), 2),
    'added p99': rounded(addedBy(name).p99, 2),
    'CPU us/call': rounded(median(runs).cpuMicrosPerRequest),
    'calls/s': Math.round(median(runs).perSecond),
    failures: runs.reduce((sum, { failures }) => sum + failures, 0),
  })),
})

/** Calls that may be neither shared nor cached: each for another address, at the pending block. */
async function loadOf({ url, pid }: BenchProcess, size: Size, path = '/'): Promise<RpcLoad> {
  let last = randomBytes(4).readUInt32BE()
  const body = () => callOf(METHOD[size], `0x${(++last).toString(16).padStart(40, '0')}`, 'pending')
  return { origin: url, path, body, bytes: await bytesOf(url + path, body()), connections: CONNECTIONS[size], seconds: SECONDS, pid }
}

/** Calls that the cache answers: a hundred accounts at a finalized block. */
async function hitsOf(method: string): Promise<RpcLoad> {
  let last = 0
  const body = () => callOf(method, `0x${(++last % 100).toString(16).padStart(40, '0')}`, '0x10')
  const bytes = await bytesOf(gateway.url + project, body())
  return { origin: gateway.url, path: project, body, bytes, connections: CONNECTIONS.small, seconds: SECONDS, pid: gateway.pid }
}

function callOf(method: string, address: string, block: string): string {
  const first =
    method === 'eth_call' ? { to: address } : method === 'eth_simulateV1' ? { blockStateCalls: [{ calls: [{ to: address }] }] } : address
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [first, block] })
}

/** The length of the right answer; fails before anything is measured. */
async function bytesOf(url: string, body: string): Promise<number> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const text = await answer.text()
  if (!answer.ok || !text.includes('"result":')) throw new Error(`${url} answers ${answer.status} ${text.slice(0, 200)}`)
  return Buffer.byteLength(text)
}

/** The calls that reach the node meanwhile. */
async function callsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = await callsOfNode()
  await work()
  return (await callsOfNode()) - before
}

async function callsOfNode(): Promise<number> {
  return (await node.ask<{ calls: number }>('bench_counts')).calls
}

function of(name: string, size: Arm['size']): Measured {
  return median(runsOf(name, size))
}

function runsOf(name: string, size: Arm['size']): readonly Measured[] {
  const arm = arms.find((each) => each.name === name && each.size === size)
  return (arm && runs.get(arm)) ?? []
}

function middle(values: number[]): number {
  return quantile(
    values.sort((a, b) => a - b),
    0.5,
  )
}

function areAnswered(runs: readonly Measured[]): boolean {
  return runs.every(({ failures }) => failures === 0)
}

/** The median over the rounds, since other load on the machine changes from one to the next. */
function ratio(name: string, other: string, size: Size): number {
  const ratios = runsOf(name, size).map((run, i) => run.cpuMicrosPerRequest / (runsOf(other, size)[i]?.cpuMicrosPerRequest ?? Number.NaN))
  return rounded(middle(ratios), 2)
}

function latency(name: string, which: 'p50' | 'p99'): number {
  return middle(paced.find((each) => each.name === name)?.runs.map((run) => run[which]) ?? [])
}

function rowOf(arm: Arm) {
  const run = of(arm.name, arm.size)
  return {
    arm: arm.name,
    answer: `${arm.size}, ${arm.load.bytes} B`,
    'CPU us/call': rounded(run.cpuMicrosPerRequest),
    ...(!arm.size.endsWith('hit') && { ratio: ratio(arm.name, 'bare Node hop', arm.size as Size) }),
    'calls/s': Math.round(run.perSecond),
    'p50 ms': rounded(run.p50, 2),
    'p99 ms': rounded(run.p99, 2),
    failures: run.failures,
  }
}
