import { Anvils, anvil, headOf } from './anvils.js'
import { ListeningReplica, type Tracked, track, untilTrue } from './tracked.js'

let anvils: Anvils
let tracked: Tracked

beforeEach(async () => {
  anvils = await Anvils.start(3)
  await anvils.mine(5)
})
afterEach(async () => {
  await tracked.stop()
  await anvils.stop()
})

describe.each(['polling', 'WebSocket'])('with %s', (way) => {
  function follow(settings = {}): ListeningReplica {
    const nodes = anvils.nodes.map(({ url, webSocketUrl }, index) => ({
      url,
      webSocketUrl: way === 'polling' ? undefined : webSocketUrl,
      priority: 3 - index,
    }))
    tracked = track(nodes, settings)
    return new ListeningReplica(tracked.tracker, { logs: true })
  }

  it('continues with another upstream when the primary is killed, losing and repeating nothing', async () => {
    const replica = follow()
    await tracked.tracker.ready()
    await anvils.mine(3, { withLog: true })
    const [primary, ...others] = anvils.nodes
    primary!.process.kill('SIGKILL')
    await anvils.mine(4, { on: others, withLog: true })
    await anvils.reorganize(2, 1, others)
    await anvils.mine(1, { on: others, withLog: true })
    await untilTrue(async () => replica.head === (await headOf(others[0]!)).hash)
    const statuses = tracked.tracker.upstreams
    await untilTrue(() => [statuses.get('n1'), statuses.get('n2')].every((status) => status?.isOnOurChain && status.isUsable))
    expect(statuses.get('n0')?.isUsable).toBe(false)
    await untilTrue(() => heights(replica.logs) === replica.chain.head?.number)
    expect(new Set(replica.logs).size).toBe(replica.logs.length)
    expect(await tracked.metrics.registry.metrics()).toContain('head_lead{upstream="n0"} 0')
  })

  it('does not go back for a lagging primary upstream, and takes its chain once it has caught up', async () => {
    const [primary, other] = anvils.nodes as [Anvils['nodes'][0], Anvils['nodes'][0]]
    await anvils.mine(2, { on: [primary] })
    const replica = follow()
    await untilTrue(async () => replica.head === (await headOf(primary)).hash)
    const before = replica.chain.head!
    primary.process.kill('SIGKILL')
    await untilTrue(() => tracked.tracker.upstreams.get('n0')?.isUsable === false)
    await anvils.mine(1, { on: anvils.nodes.slice(1) })
    await untilTrue(() => tracked.tracker.upstreams.get('n1')?.head === before.number - 1)
    expect(replica.head).toBe(before.hash)
    expect(tracked.tracker.upstreams.get('n1')?.isOnOurChain).toBe(false)
    await anvils.mine(1, { on: anvils.nodes.slice(1) })
    await untilTrue(async () => replica.head === (await headOf(other)).hash)
    expect(replica.removed.map(({ number }) => number)).toEqual([before.number, before.number - 1])
  })

  it('leaves a primary upstream that has stalled', async () => {
    const replica = follow()
    await tracked.tracker.ready()
    const others = anvils.nodes.slice(1)
    await anvils.mine(8, { on: others })
    await untilTrue(async () => replica.head === (await headOf(others[0]!)).hash)
    expect(replica.removed).toEqual([])
    expect(tracked.tracker.upstreams.get('n0')?.isUsable).toBe(false)
  })

  it('reports which upstreams are on another branch', async () => {
    const replica = follow()
    const [, second, third] = anvils.nodes
    await tracked.tracker.ready()
    await anvils.reorganize(2, 0, [second!])
    await anvils.mine(1, { on: [second!, third!] })
    const { upstreams } = tracked.tracker
    await untilTrue(() => upstreams.get('n1')?.isOnOurChain === false && upstreams.get('n2')?.head === replica.chain.head!.number + 1)
    await untilTrue(() => upstreams.get('n2')?.isOnOurChain === true)
    expect(upstreams.get('n0')?.isOnOurChain).toBe(true)
  })
})

it('does not use a node of another chain, and logs it once, without its address', async () => {
  const stranger = await anvil(1)
  const lines: string[] = []
  const log = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream
  tracked = track(
    [{ url: `${stranger.url}/?key=secret-key`, webSocketUrl: stranger.webSocketUrl, priority: 9 }, { url: anvils.nodes[0]!.url }],
    {},
    log,
  )
  await tracked.tracker.ready()
  await anvils.mine(3)
  await untilTrue(async () => tracked.tracker.chain.head?.hash === (await headOf(anvils.nodes[0]!)).hash)
  expect(tracked.tracker.upstreams.get('n0')).toMatchObject({ isUsable: false, isOnOurChain: false, head: 0 })
  expect(lines.filter((line) => line.includes('has another chain id'))).toHaveLength(1)
  expect(lines.join()).not.toMatch(/secret-key|127\.0\.0\.1/)
  expect(await tracked.metrics.registry.metrics()).toContain('head_wrong_chain{upstream="n0"} 1')
  stranger.process.kill('SIGKILL')
})

it('notices that a node was replaced by one of another chain', async () => {
  const [only] = anvils.nodes
  tracked = track([{ url: only!.url }])
  await tracked.tracker.ready()
  only!.process.kill('SIGKILL')
  await only!.process.exited
  const stranger = await anvil(1, only!.port)
  await untilTrue(async () => (await tracked.metrics.registry.metrics()).includes('head_wrong_chain{upstream="n0"} 1'))
  expect(tracked.tracker.upstreams.get('n0')?.isUsable).toBe(false)
  stranger.process.kill('SIGKILL')
})

/** How high the chain is by what the logs tell, which begin with block 5. */
function heights(logs: readonly string[]): number {
  return logs.reduce((height, line) => height + (line.startsWith('+') ? 1 : -1), 4)
}
