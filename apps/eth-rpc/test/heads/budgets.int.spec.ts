import { setTimeout as delay } from 'node:timers/promises'
import { Anvils } from './anvils.js'
import { type Tracked, track, untilTrue } from './tracked.js'

// To be followed costs calls too: a node with a budget is hardly asked while others are, and not at all once the budget is used up.

let anvils: Anvils
let tracked: Tracked | undefined

beforeEach(async () => {
  anvils = await Anvils.start(2)
  await anvils.mine(5)
})
afterEach(async () => {
  await tracked?.stop()
  await anvils.stop()
})

it('asks one with a budget for its head now and then, and as often as any once no other can be followed', async () => {
  const [own, hosted] = anvils.nodes
  tracked = track([{ url: own!.url }, { url: hosted!.url, priority: 9, budget: { name: 'b', perMonth: 1_000_000 } }])
  const { tracker, budgets } = tracked
  await untilTrue(() => tracker.chain.head?.number === 5 && tracker.upstreams.get('n1')?.head === 5)
  expect(tracker.upstreams.get('n0')).toMatchObject({ isPrimary: true })
  await anvils.mine(2)
  await untilTrue(() => tracker.chain.head?.number === 7)
  const used = budgets.get('b')!.used
  await delay(1_500)
  expect(budgets.get('b')!.used - used).toBeLessThanOrEqual(2)
  own!.process.kill('SIGKILL')
  await untilTrue(() => tracker.upstreams.get('n1')?.isPrimary === true)
  await anvils.mine(2, { on: [hosted!] })
  await untilTrue(() => tracker.chain.head?.number === 9)
  await delay(500)
  expect(budgets.get('b')!.used - used).toBeGreaterThan(5)
})

it('returns to an own node that has caught up', async () => {
  const [own, hosted] = anvils.nodes
  // The own node lacks the newest blocks at first.
  await own!.rpc.call('anvil_rollback', 3)
  tracked = track([{ url: own!.url }, { url: hosted!.url, budget: { name: 'b', perMonth: 1_000_000 } }], { MAX_LAG: 1 })
  const { tracker } = tracked
  await untilTrue(() => tracker.upstreams.get('n1')?.isPrimary === true && tracker.chain.head?.number === 5)
  await own!.rpc.call('anvil_reset', { forking: { jsonRpcUrl: hosted!.url } })
  await untilTrue(() => tracker.upstreams.get('n0')?.isPrimary === true)
  expect(tracker.chain.head?.number).toBe(5)
})

it('asks nothing of one whose budget is used up, and says so', async () => {
  const [own, hosted] = anvils.nodes
  tracked = track([{ url: own!.url }, { url: hosted!.url, budget: { name: 'b', perMonth: 3 } }])
  const { tracker, budgets, metrics } = tracked
  await untilTrue(() => tracker.upstreams.get('n1')?.refusal?.reason === 'spent')
  const { used } = budgets.get('b')!
  await delay(500)
  expect([budgets.get('b')!.used, used <= 6]).toEqual([used, true])
  await anvils.mine(1)
  await untilTrue(() => tracker.chain.head?.number === 6)
  expect(tracker.upstreams.get('n1')).toMatchObject({ isUsable: false, isPrimary: false })
  expect(await metrics.registry.metrics()).toContain('upstream_refused{upstream="n1",reason="spent"} 1')
  budgets.configure([{ name: 'n1', url: '', archive: false, priority: 0, budget: { name: 'b', perMonth: 1_000 } }], Date.now())
  await untilTrue(() => tracker.upstreams.get('n1')?.isUsable === true)
})
