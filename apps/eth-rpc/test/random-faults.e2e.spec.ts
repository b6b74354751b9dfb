import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { eventually } from '@trestle/testing/eventually'
import type { Fault } from '@trestle/testing/faults'
import { type FaultyStage, startFaultyStage, UNLIMITED } from './faulty-stage.js'
import { callRpc, resultOfRpc } from './json-rpc.js'
import { BlockLedger, type LedgerBlock, type LedgerLog, LogLedger } from './ledgers.js'
import { RecordedChain } from './recorded-chain.js'
import { pick, seededRandom } from './simulation/sim-random.js'
import { SocketCaller } from './socket-caller.js'
import { type SpawnedGateway, spawnGateway } from './spawned-gateway.js'

// The simulation's invariants with real processes: anvils behind proxies that fail, two replicas of the gateway, one of which is killed.
// What goes wrong follows from a seed, when it does not: SEED=7 pnpm test random-faults.

const SEED = Number(process.env.SEED ?? 1)
const RUN_MS = 15_000
const FAULTS: readonly Fault[] = [
  { kind: 'hanging' },
  { kind: 'slow', ms: 400 },
  { kind: 'reset' },
  { kind: 'null' },
  { kind: 'dead' },
  { kind: 'status', status: 503 },
  { kind: 'rate-limited', retryAfter: '1' },
  { kind: 'stale', behind: 2 },
  { kind: 'wrong-chain', chainId: 5 },
]

jest.setTimeout(120_000)

const random = seededRandom(SEED)
const violations: string[] = []
const counts = { calls: 0, heads: 0, logs: 0, connections: 0, faults: 0, reorgs: 0 }
const replicas: SpawnedGateway[] = []
/** The newest block that callers know from each. */
const told = [0, 0]
let stage: FaultyStage
let chain: RecordedChain
let path: string
let head: LedgerBlock
let isOver = false

beforeAll(async () => {
  stage = await startFaultyStage()
  chain = new RecordedChain(stage.anvils.nodes[0]!.rpc)
  await stage.mine(3)
  head = await chain.record()
  replicas.push(...(await Promise.all([start(), start()])))
  path = new URL(await stage.gateway.project(UNLIMITED)).pathname
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  await stage.stop()
})

it(`two replicas never go back, say nothing wrong, and report each log once while nodes fail and one of them is killed: seed ${SEED}`, async () => {
  const callers = [0, 1].flatMap((at) => [askOn(at), askOn(at), listen(at), poll('eth_newFilter'), poll('eth_newBlockFilter')])
  const working = [liveOn(), failOn()]
  await delay(RUN_MS / 2)
  replicas[1]!.process.kill('SIGKILL')
  replicas[1] = await start()
  await delay(RUN_MS / 2)
  isOver = true
  await Promise.all(working)
  await Promise.all(stage.upstreams.map((upstream) => upstream.heal()))
  await stage.anvils.mine()
  head = await chain.record()
  await Promise.all([0, 1].map((at) => eventually(async () => (await hasHead(at)) || undefined, `replica ${at} has the head`)))
  for (const finish of await Promise.all(callers)) await finish()
  expect(violations).toEqual([])
  expect(counts.calls).toBeGreaterThan(50)
  expect(counts.logs).toBeGreaterThan(5)
})

function start(): Promise<SpawnedGateway> {
  return spawnGateway(stage.gateway.environment, 1)
}

function urlOf(at: number): string {
  return replicas[at]!.url + path
}

async function hasHead(at: number): Promise<boolean> {
  const { result } = await callRpc(urlOf(at), 'eth_getBlockByNumber', 'latest', false)
  return result?.hash === head.hash
}

/** A block with a log now and then, or a reorganization. */
async function liveOn(): Promise<void> {
  for (; !isOver; await delay(200 + 400 * random())) {
    if (random() < 0.15) {
      counts.reorgs++
      await stage.anvils.reorg(1 + Math.floor(random() * 2))
    } else {
      if (random() < 0.8) await stage.transfer()
      await stage.anvils.mine()
    }
    head = await chain.record()
  }
}

/** One of the three at a time. */
async function failOn(): Promise<void> {
  for (; !isOver; await delay(300 + 2_000 * random())) {
    counts.faults++
    const ill = pick(stage.upstreams, random)
    for (const upstream of stage.upstreams) if (upstream !== ill) await upstream.heal()
    await ill.fail(pick(FAULTS, random))
  }
}

/** Undefined where nobody answers, or the gateway cannot. */
async function ask(at: number, method: string, ...params: unknown[]) {
  counts.calls++
  const answer = await callRpc(urlOf(at), method, ...params).catch(() => undefined)
  const code = answer?.error?.code
  if (code !== undefined && code !== -32_002 && code !== -32_602) violations.push(`${method}: ${answer?.error?.message}`)
  return answer?.result
}

type Finish = () => void | Promise<void>

async function askOn(at: number): Promise<Finish> {
  const answers: { readonly from: number; readonly to: number; readonly logs: readonly LedgerLog[] }[] = []
  for (; !isOver; await delay(30)) {
    const before = told[at]!
    const number = await ask(at, 'eth_blockNumber')
    if (number !== undefined && Number(number) < before) violations.push(`replica ${at}: block ${Number(number)} after ${before}`)
    told[at] = Math.max(told[at]!, Number(number ?? 0))
    const to = Math.max(...told)
    const from = Math.max(0, to - 2)
    const logs = await ask(at, 'eth_getLogs', { fromBlock: hex(from), toBlock: hex(to) })
    if (logs) answers.push({ from, to, logs })
  }
  return () => {
    for (const { from, to, logs } of answers) for (let number = from; number <= to; number++) expectLogs(number, logs)
  }
}

function expectLogs(number: number, logs: readonly LedgerLog[]): void {
  const found = logs.filter(({ blockNumber }) => Number(blockNumber) === number).map(({ blockHash }) => blockHash)
  const candidates = chain.at(number).map((block) => block.logs.map(({ blockHash }) => blockHash))
  if (!candidates.some((each) => each.join() === found.join())) violations.push(`${found.length} logs of block ${number}`)
}

/** One connection after another. */
async function listen(at: number): Promise<Finish> {
  const sessions: { heads: { hash: string }[]; logs: LedgerLog[]; after: number; socket: SocketCaller }[] = []
  while (!isOver) {
    const socket = await SocketCaller.open(urlOf(at)).catch(() => undefined)
    if (!socket) {
      await delay(100)
      continue
    }
    counts.connections++
    const subscribed = Promise.all([
      socket.subscribe<{ hash: string }>('newHeads'),
      socket.subscribe<LedgerLog>('logs', {}),
      socket.ask<string>('eth_blockNumber'),
    ])
    const [heads, logs, number] = (await Promise.race([subscribed, socket.closed.then(() => [])])) as Awaited<typeof subscribed>
    if (heads) sessions.push({ heads, logs, after: Number(number), socket })
    await Promise.race([socket.closed, delay(1_000 + 6_000 * random()), untilOver()])
    if (!isOver) socket.close()
  }
  return async () => {
    const last = sessions.at(-1)
    if (last) await eventually(() => last.heads.at(-1)?.hash === head.hash || undefined, 'the last head is notified')
    for (const session of sessions) {
      const blocks = new BlockLedger(chain.find)
      const entries = new LogLedger(chain.find, { after: session.after })
      note('newHeads', ...session.heads.map(({ hash }) => blocks.add(hash)))
      note('logs', ...session.logs.map((log) => entries.add(log)))
      counts.heads += session.heads.length
      counts.logs += session.logs.length
      if (session === last) note('at the end', blocks.missing(head), entries.missing(head))
    }
    last?.socket.close()
  }
}

/** A filter, at whichever replica. */
async function poll(method: 'eth_newFilter' | 'eth_newBlockFilter'): Promise<Finish> {
  const isOfLogs = method === 'eth_newFilter'
  let id: string | undefined
  let events: (string & LedgerLog)[] = []
  let after = 0
  const turn = async (at: number) => {
    if (id === undefined) {
      id = await ask(at, method, ...(isOfLogs ? [{}] : []))
      // A block may have come meanwhile.
      after = id === undefined ? 0 : Number(await resultOfRpc(urlOf(at), 'eth_blockNumber').catch(() => Number.POSITIVE_INFINITY))
      events = []
      return
    }
    const found = await callRpc(urlOf(at), 'eth_getFilterChanges', id).catch(() => undefined)
    // Of what was under way when a replica was killed nobody knows.
    if (!found || after === Number.POSITIVE_INFINITY) id = undefined
    else events.push(...(found.result ?? []))
  }
  for (; !isOver; await delay(50 + 300 * random())) await turn(Math.floor(random() * 2))
  return async () => {
    const missing = () => {
      const ledger = isOfLogs ? new LogLedger(chain.find, { after }) : new BlockLedger(chain.find)
      const faults = events.map((event) => ledger.add(event))
      return [...faults, ledger.missing(head)].filter((fault) => fault !== undefined)
    }
    for (let tries = 0; tries < 20 && missing().length > 0; tries++) {
      await turn(tries % 2)
      await delay(100)
    }
    counts.logs += isOfLogs ? events.length : 0
    note(method, ...missing())
  }
}

function note(what: string, ...faults: readonly (string | undefined)[]): void {
  for (const fault of faults) if (fault !== undefined) violations.push(`${what}: ${fault}`)
}

async function untilOver(): Promise<void> {
  while (!isOver) await delay(50)
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
