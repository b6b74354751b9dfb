import { Anvils, headOf } from './anvils.js'
import { ListeningReplica, type Tracked, track, untilTrue } from './tracked.js'

let anvils: Anvils
let tracked: Tracked

beforeAll(async () => {
  anvils = await Anvils.start(1)
  await anvils.mine(30)
})
afterAll(() => anvils.stop())
afterEach(() => tracked.stop())

describe.each(['polling', 'WebSocket'])('with %s', (way) => {
  function follow(settings = {}): ListeningReplica {
    const [{ url, webSocketUrl }] = anvils.nodes as [Anvils['nodes'][0]]
    // Far too seldom to be of use.
    const rarely = { POLL_MS: 60_000 }
    tracked = way === 'polling' ? track([{ url }], settings) : track([{ url, webSocketUrl }], { ...rarely, ...settings })
    return new ListeningReplica(tracked.tracker)
  }

  it('follows the chain from its head, with the ancestors', async () => {
    const replica = follow()
    await tracked.tracker.ready()
    expect(tracked.tracker.chain.blocks().length).toBeGreaterThanOrEqual(31)
    await anvils.mine(5)
    await untilTrue(async () => replica.head === (await headOf(anvils.nodes[0]!)).hash)
    expect(replica.removed).toEqual([])
    expect(tracked.tracker.upstreams.get('n0')).toEqual({
      name: 'n0',
      head: replica.chain.head?.number,
      isPrimary: expect.any(Boolean),
      isOnOurChain: true,
      isUsable: true,
    })
  })

  it.each([1, 2, 3, 5, 8, 13, 20])('follows a reorganization %i deep', async (depth) => {
    const replica = follow()
    await anvils.mine(depth)
    await tracked.tracker.ready()
    await untilTrue(async () => replica.head === (await headOf(anvils.nodes[0]!)).hash)
    const gone = replica.chain.blocks().slice(-depth)
    await anvils.nodes[0]!.rpc.call('anvil_reorg', depth, [])
    await untilTrue(async () => replica.head === (await headOf(anvils.nodes[0]!)).hash && replica.removed.length > 0)
    expect(new Set(replica.removed)).toEqual(new Set(gone))
    expect(replica.removed).toEqual(gone.reverse())
    expect(await tracked.metrics.registry.metrics()).toContain('head_reorgs_total 1')
  })
})
