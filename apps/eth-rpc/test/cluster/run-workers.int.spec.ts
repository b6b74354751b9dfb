import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { commandLineOf } from '@trestle/devnet/process'
import { Anvils, headOf } from '../heads/anvils.js'
import { untilTrue } from '../heads/tracked.js'
import { type RunningCluster, startCluster } from './running.js'

// Three processes at a time read all sources anew.
jest.setTimeout(180_000)

let anvils: Anvils
let running: RunningCluster

beforeAll(async () => {
  anvils = await Anvils.start(1)
  await anvils.mine(5)
})
afterAll(async () => {
  await running.stop()
  await anvils.stop()
})
// It takes a while on a machine that is busy: as long as a test leaves it as it is, the next goes on with it.
beforeEach(async () => {
  if (running?.process.exitCode === null && running.process.signalCode === null) return
  const [{ url, webSocketUrl }] = anvils.nodes as [Anvils['nodes'][0]]
  running = await startCluster([{ name: 'n0', url, webSocketUrl, archive: false, priority: 1 }])
})

it('sends each worker the whole chain, and every change', async () => {
  await running.askAll(2)
  await anvils.mine(2)
  await anvils.reorganize(2, 1)
  const { hash, number } = await headOf(anvils.nodes[0]!)
  await untilTrue(async () => (await running.askAll(2)).every(({ head }) => head === hash))
  const [first, second] = await running.askAll(2)
  expect(first!.known).toBe(Number(number) + 1)
  expect(first!.upstreams).toEqual([{ name: 'n0', head: Number(number), isPrimary: true, isOnOurChain: true, isUsable: true }])
  expect(first!.finalized).toBeDefined()
  expect({ ...second, pid: 0, told: [] }).toEqual({ ...first, pid: 0, told: [] })
  expect(replay(first!.told)).toBe(hash)
})

it('fetches logs for the worker that needs them', async () => {
  await running.askAll(2)
  await fetch(`${running.url}/logs`, { method: 'POST' })
  await untilTrue(async () => {
    await anvils.mine(1, { withLog: true })
    return (await running.askAll(2)).some(({ logs }) => logs.includes(1))
  })
  const [one, other] = (await running.askAll(2)).sort((a, b) => b.logs.length - a.logs.length)
  expect(new Set(one!.logs)).toEqual(new Set([1]))
  expect(other!.logs).toEqual([])
})

it('replaces a worker that dies', async () => {
  const [first] = await running.askAll(2)
  process.kill(first!.pid, 'SIGKILL')
  await untilTrue(async () => (await running.askAll(2)).every(({ pid }) => pid !== first!.pid))
  expect(running.lines.filter(({ msg }) => msg === 'a worker died and is replaced')).toHaveLength(1)
})

it('serves the internal port for all workers', async () => {
  await running.askAll(2)
  const get = async (path: string) => (await fetch(running.internalUrl + path)).text()
  expect(JSON.parse(await get('/livez'))).toEqual({ status: 'alive' })
  expect(JSON.parse(await get('/readyz'))).toEqual({ ready: true, checks: { head: 'ok', workers: 'ok' } })
  const metrics = await get('/metrics')
  expect(metrics).toMatch(/^eth_rpc_head_number \d+$/m)
  expect(metrics).toMatch(/^head_number \d+$/m)
  expect(metrics).toMatch(/^http_request_duration_seconds_count\{.*route="\/chain".*\} \d+$/m)
  expect(metrics.match(/^# TYPE process_cpu_seconds_total /gm)).toHaveLength(1)
})

it('stops gracefully, once calls under way have ended', async () => {
  const workers = (await running.askAll(2)).map(({ pid }) => pid)
  const slow = fetch(`${running.url}/slowly`, { method: 'POST' })
  await untilTrue(() => running.lines.some(({ msg }) => msg === 'slowly'))
  running.process.kill('SIGTERM')
  expect((await slow).status).toBe(200)
  expect(await once(running.process, 'exit')).toEqual([0, null])
  expect(workers.filter(lives)).toEqual([])
})

it.each(['SIGTERM', 'SIGKILL'] as const)('leaves no worker behind when it ends abruptly (%s)', async (signal) => {
  const workers = (await running.askAll(2)).map(({ pid }) => pid)
  const slow = fetch(`${running.url}/slowly`, { method: 'POST' }).catch(() => {})
  await untilTrue(() => running.lines.some(({ msg }) => msg === 'slowly'))
  running.process.kill('SIGTERM')
  await delay(100)
  running.process.kill(signal)
  await untilTrue(() => !workers.some(lives))
  await slow
})

/** One that has ended may wait for somebody to take notice. */
function lives(pid: number): boolean {
  return commandLineOf(pid) !== ''
}

/** The head of the worker that was sent this. */
function replay(told: readonly string[]): string | undefined {
  const chain: string[] = []
  for (const line of told) {
    if (line.startsWith('+')) chain.push(line.slice(1))
    else expect(chain.pop()).toBe(line.slice(1))
  }
  return chain.at(-1)
}
