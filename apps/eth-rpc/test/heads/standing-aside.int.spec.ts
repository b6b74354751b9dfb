import { Anvils, anvil } from './anvils.js'
import { type Tracked, track, untilTrue } from './tracked.js'

// A node that is cordoned, or a shadow, is followed: it is not asked, and what it says decides nothing.

let anvils: Anvils
let other: Awaited<ReturnType<typeof anvil>>
let tracked: Tracked | undefined

beforeEach(async () => {
  ;[anvils, other] = await Promise.all([Anvils.start(1), anvil(1337)])
  await anvils.mine(5)
})
afterEach(async () => {
  await tracked?.stop()
  other.process.kill('SIGKILL')
  await Promise.all([anvils.stop(), other.process.exited])
})

it.each([
  ['cordoned', { cordon: true }],
  ['shadow', { shadow: 0.5 }],
])('follows one that is %s, and says so', async (reason, option) => {
  const { url } = anvils.nodes[0]!
  tracked = track([{ url }, { url, priority: 9, ...option }])
  const { tracker, metrics } = tracked
  await untilTrue(() => tracker.chain.head?.number === 5 && tracker.upstreams.get('n1')?.head === 5)
  await anvils.mine(2)
  await untilTrue(() => tracker.upstreams.get('n1')?.head === 7 && tracker.upstreams.get('n1')?.isOnOurChain === true)
  expect(tracker.upstreams.get('n0')).toMatchObject({ isPrimary: true, isUsable: true })
  expect(tracker.upstreams.get('n1')).toMatchObject({ isPrimary: false, isUsable: false, refusal: { reason } })
  expect(await metrics.registry.metrics()).toContain(`upstream_refused{upstream="n1",reason="${reason}"} 1`)
})

it.each([
  ['cordoned', { cordon: true }],
  ['a shadow', { shadow: 1 }],
])('begins a chain though one that is %s has another', async (_, option) => {
  await other.rpc.call('anvil_mine', '0x14')
  const { url } = anvils.nodes[0]!
  tracked = track([{ url }, { url: other.url, ...option }])
  const { tracker } = tracked
  await untilTrue(() => tracker.chain.head?.number === 5)
  await anvils.mine(1)
  await untilTrue(() => tracker.chain.head?.number === 6)
  expect(tracker.upstreams.get('n1')).toMatchObject({ isUsable: false })
})
