import { setTimeout as delay } from 'node:timers/promises'
import type { BlockLogs } from '../../src/heads/head-feed.js'
import { TestTime } from '../test-time.js'
import { Anvils, headOf } from './anvils.js'
import { type Tracked, track, untilTrue } from './tracked.js'

let anvils: Anvils
let tracked: Tracked

beforeEach(async () => {
  anvils = await Anvils.start(2)
  await anvils.mine(3)
})
afterEach(async () => {
  await tracked.stop()
  await anvils.stop()
})

it('reports the logs of connected blocks, and again those of disconnected ones', async () => {
  const [node] = anvils.nodes
  tracked = track([node!])
  await tracked.tracker.ready()
  const reported: BlockLogs[] = []
  tracked.tracker.onLogs((logs) => reported.push(logs))
  await anvils.mine(2, { withLog: true })
  await anvils.mine(1)
  await untilTrue(() => reported.length === 3)
  expect(reported.map(({ removed, logs }) => [removed, logs.length])).toEqual([
    [false, 1],
    [false, 1],
    [false, 0],
  ])
  const log = JSON.parse(reported[1]!.logs[0]!.json)
  expect(log).toMatchObject({
    blockHash: reported[1]!.block.hash,
    blockNumber: '0x5',
    removed: false,
    address: reported[1]!.logs[0]!.address,
  })
  const before = reported.splice(0)
  await anvils.reorganize(3, 1, [node!])
  await untilTrue(async () => reported.at(-1)?.block.hash === (await headOf(node!)).hash)
  expect(reported.slice(0, 3)).toEqual(before.map((logs) => ({ ...logs, removed: true })).reverse())
  expect(reported.slice(3).map(({ removed, block }) => [removed, block.number])).toEqual([4, 5, 6, 7].map((number) => [false, number]))
})

it('requests no logs without listeners', async () => {
  tracked = track([anvils.nodes[0]!])
  await tracked.tracker.ready()
  await anvils.mine(1, { withLog: true })
  const reported: BlockLogs[] = []
  await untilTrue(async () => tracked.tracker.chain.head?.hash === (await headOf(anvils.nodes[0]!)).hash)
  tracked.tracker.onLogs((logs) => reported.push(logs))
  await anvils.mine(1, { withLog: true })
  await untilTrue(() => reported.length === 1)
  expect(reported[0]!.block.number).toBe(5)
})

it.each(['polling', 'WebSocket'])('reports pending transactions once, whichever upstream does (%s)', async (way) => {
  const nodes = anvils.nodes.map(({ url, webSocketUrl }) => ({ url, webSocketUrl: way === 'polling' ? undefined : webSocketUrl }))
  tracked = track(nodes)
  await tracked.tracker.ready()
  const reported: string[] = []
  tracked.tracker.onPending((hashes) => reported.push(...hashes))
  const first = await sendUntil(() => reported.length > 0)
  const primary = anvils.nodes[Number((await primaryOf(tracked)).slice(1))]!
  primary.process.kill('SIGKILL')
  const count = reported.length
  const second = await sendUntil(
    () => reported.length > count,
    anvils.nodes.filter((node) => node !== primary),
  )
  expect(new Set(reported).size).toBe(reported.length)
  expect([...first, ...second]).toEqual(expect.arrayContaining(reported))
})

it('goes back with a chain that stays back', async () => {
  tracked = track([anvils.nodes[0]!])
  await tracked.tracker.ready()
  await anvils.nodes[0]!.rpc.call('anvil_rollback', 2)
  const time = new TestTime()
  time.stop()
  await untilTrue(() => tracked.tracker.upstreams.get('n0')?.head === 1)
  expect(tracked.tracker.chain.head?.number).toBe(3)
  // Ten seconds and more, in a tenth of it.
  await untilTrue(() => {
    time.pass(100)
    return tracked.tracker.chain.head?.number === 1
  })
  time.end()
  expect(await tracked.metrics.registry.metrics()).toContain('head_restarts_total 0')
})

/** Transactions to each of the nodes, the same: a subscription may take a moment to stand. */
async function sendUntil(holds: () => boolean, on = anvils.nodes): Promise<string[]> {
  const sent: string[] = []
  while (!holds()) {
    const nonce = `0x${(sends++).toString(16)}`
    const [hash] = await Promise.all(on.map(({ rpc }) => send(rpc, nonce)))
    sent.push(hash!)
    await delay(50)
  }
  return sent
}

let sends = 0
beforeEach(() => {
  sends = 0
})

async function send(rpc: Anvils['nodes'][0]['rpc'], nonce: string): Promise<string> {
  const [from, to] = await rpc.call<string[]>('eth_accounts')
  return rpc.call('eth_sendTransaction', { from, to, nonce, value: '0x1', gas: '0x5208', gasPrice: '0x174876e800' })
}

async function primaryOf({ metrics }: Tracked): Promise<string> {
  return /head_lead\{upstream="(\w+)"\} 1/.exec(await metrics.registry.metrics())![1]!
}
