import { jest } from '@jest/globals'
import type { BuiltReplica } from './built-service.js'
import { checksumOf, contradictionsIn } from './invariants.js'
import type { NodeConsole } from './node-console.js'
import { StoryWorld } from './world.js'

// Litecoin's extension blocks on a real node (LIP 2 and 3): coins are pegged in, move where nobody sees them, and are pegged out. Each of
// those blocks ends with a transaction that holds the coins inside, and carries bytes that are no part of any transaction.

jest.setTimeout(300_000)

const FIRST = 432

describe('blocks with an MWEB part', () => {
  let world: StoryWorld
  let replica: BuiltReplica
  let inside: NodeConsole

  beforeAll(async () => {
    world = await StoryWorld.create('litecoind', { seed: 5, mweb: true, settings: { BULK_MIN_BLOCKS: '200' } })
    await world.traffic.begin()
    await world.node.console.call('createwallet', 'inside')
    inside = world.node.console.wallet('inside')
    await world.traffic.round(60)
    await inside.call('generatetoaddress', 2, await inside.call('getnewaddress', '', 'bech32'))
    const height = await world.node.console.call<number>('getblockcount')
    await world.traffic.mine(FIRST - 2 - height)
    await fund()
    await world.traffic.mine(1)
    await pegIn(3)
    await world.traffic.round(30)
    await pegIn(2)
    await world.traffic.pay(10)
    replica = await world.service.start()
    await replica.ready()
  })

  afterAll(async () => {
    if (!world.node.process.isRunning()) process.stderr.write(world.node.process.lastLines(40))
    await world.end()
  })

  it('are indexed in bulk as the node has them', async () => {
    expect(await differences()).toEqual([])
    const { state } = await world.truth()
    const types = state.path.slice(FIRST).flatMap(({ tx }) => tx.flatMap(({ vout }) => vout.map(({ scriptPubKey }) => scriptPubKey.type)))
    expect(new Set(types)).toContain('witness_mweb_hogaddr')
    expect(new Set(types)).toContain('witness_mweb_pegin')
  })

  it('are followed at the tip, with what is pegged out', async () => {
    for (let i = 0; i < 4; i++) {
      await pegIn(2)
      await pegOut()
      await world.traffic.round(20)
    }
    await world.caughtUp()
    expect(await contradictionsIn(world.service.sql)).toEqual([])
  })

  it('are disconnected', async () => {
    for (const depth of [1, 3]) await world.traffic.reorganize(depth, { longer: 2 })
    await world.traffic.round(10)
    expect(await differences()).toEqual([])
  })

  it('yield the same index in bulk as block by block', async () => {
    const tip = await world.service.another()
    await tip.start('indexer', { BULK_MIN_BLOCKS: '1000000' })
    await world.caughtUp(tip)
    expect(await checksumOf(tip.sql)).toEqual(await checksumOf(world.service.sql))
    await tip.stop()
  })

  async function differences(): Promise<readonly string[]> {
    const compared = await world.comparison(replica)
    await compared.everyAddress()
    await compared.everyTransaction(FIRST - 10)
    return compared.differences
  }

  /** Coins go in from a wallet of their own: one that holds both kinds may end litecoind when it spends them together. */
  async function fund(): Promise<void> {
    const addresses = await inside.batch<string>(Array.from({ length: 30 }, () => ['getnewaddress', '', 'bech32']))
    await inside.call('sendmany', '', Object.fromEntries(addresses.map((address) => [address, 0.5])))
  }

  async function pegIn(count: number): Promise<void> {
    const addresses = await inside.batch<string>(Array.from({ length: count }, () => ['getnewaddress', '', 'mweb']))
    await inside.batch(addresses.map((address) => ['sendtoaddress', address, 0.3]))
  }

  /** To the others, when there is enough inside. */
  async function pegOut(): Promise<void> {
    const address = await world.node.console.wallet('people').call<string>('getnewaddress', '', 'bech32')
    await inside.settle([['sendtoaddress', address, 0.25]])
  }
})
