import { jest } from '@jest/globals'
import type { BuiltReplica } from './built-service.js'
import { unlikeTheNode } from './coin-count.js'
import { checksumOf, contradictionsIn } from './invariants.js'
import { missing } from './regtest.js'
import { StoryWorld } from './world.js'

// Everything the service says of a real node's chain is what an independent sum over the node's own data says.
// TRANSACTIONS=20000 SEED=7 for the long run.

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 300)
const IS_LONG = TRANSACTIONS > 1000
const SEED = Number(process.env.SEED ?? 1)
const ROUND = 200
// In the words of the nodes.
const SPENDABLE = ['multisig', 'nonstandard', 'pubkey', 'pubkeyhash', 'scripthash', 'witness_v0_keyhash', 'witness_v0_scripthash']
const EVERY_TYPE = [...SPENDABLE, 'nulldata', 'witness_unknown', 'witness_v1_taproot']
const DEPTHS = IS_LONG ? [1, 2, 3, 7, 12, 30, 50] : [2, 50]

jest.setTimeout(120_000 + TRANSACTIONS * 200)

const without = await missing('bitcoind')
if (without) process.stderr.write(`Random payments on bitcoind are left out: ${without}\n`)

describe.each(without ? (['litecoind'] as const) : (['litecoind', 'bitcoind'] as const))('random payments on %s', (daemon) => {
  let world: StoryWorld
  let replica: BuiltReplica

  beforeAll(async () => {
    // On one of the chains as on a main network: whole transactions are the node's to keep.
    const STORE_RAW = String(daemon === 'litecoind')
    world = await StoryWorld.create(daemon, { seed: SEED, settings: { BULK_MIN_BLOCKS: '100', STORE_RAW } })
    await world.traffic.begin()
    await pay(TRANSACTIONS / 2)
    await world.traffic.pay(30)
    replica = await world.service.start()
    await replica.ready()
  })

  afterAll(async () => {
    await world.end()
  })

  it('are indexed in bulk as the node has them, to the last address', async () => {
    const compared = await world.compare(replica)
    expect(compared.differences).toEqual([])
    expect(compared.addresses).toBeGreaterThan(TRANSACTIONS / 3)
    expect(compared.transactions).toBeGreaterThan(TRANSACTIONS / 3)
  })

  it('are followed at the tip as the node has them, with replacements and the mempool', async () => {
    await pay(TRANSACTIONS / 2)
    await world.traffic.pay(40)
    await isRight()
    expect(world.traffic.replaced).toBeGreaterThan(0)
  })

  it('pay to scripts of every type, and spend every type that can be spent', async () => {
    const { state } = await world.truth()
    const outputs = state.path.flatMap(({ tx }) =>
      tx.flatMap(({ txid, vout }) => vout.map(({ n, scriptPubKey: { type } }) => ({ type, isSpent: state.spenders.has(`${txid}:${n}`) }))),
    )
    const typesOf = (some: typeof outputs) => [...new Set(some.map(({ type }) => type))]
    expect(typesOf(outputs)).toEqual(expect.arrayContaining(EVERY_TYPE))
    expect(typesOf(outputs.filter(({ isSpent }) => isSpent))).toEqual(expect.arrayContaining(SPENDABLE))
  })

  it.each(DEPTHS)('are right after a reorganization of %d blocks, with the mempool full again', async (depth) => {
    const stale = await world.traffic.reorganize(depth, { longer: depth > 10 ? 2 : 1 })
    await world.traffic.pay(20)
    await isRight()
    const compared = await world.comparison(replica)
    for (const hash of stale) await compared.isStale(hash)
    expect(compared.differences).toEqual([])
  })

  it('are right when the disconnected blocks are connected again', async () => {
    await world.traffic.reorganize(6, { comesBack: true })
    await pay(TRANSACTIONS / 10)
    expect((await world.compare(replica)).differences).toEqual([])
  })

  it('yield the same index in bulk as block by block', async () => {
    // Ours was loaded, and followed since; the others are all of one kind.
    const ours = await checksumOf(world.service.sql)
    for (const BULK_MIN_BLOCKS of IS_LONG ? ['1', '1000000'] : ['1000000']) {
      const fresh = await world.service.another()
      await fresh.start('indexer', { BULK_MIN_BLOCKS })
      await world.caughtUp(fresh)
      expect(await checksumOf(fresh.sql)).toEqual(ours)
      expect(await contradictionsIn(fresh.sql)).toEqual([])
      await fresh.stop()
    }
  })

  it("agree with the node's own count", async () => {
    const truth = await world.truth()
    expect(await unlikeTheNode(truth, world.node.console, world.random)).toEqual([])
    const { sent, replaced } = world.traffic
    const { addresses, path, reader } = truth.state
    process.stdout.write(
      `${daemon}: ${sent} payments, ${replaced} replacements, ${path.length} blocks of ${reader.blocks.size}, ${addresses.size} addresses\n`,
    )
  })

  /** In the short run a hundred addresses stand for all, which come at the end. */
  async function isRight(): Promise<void> {
    const compared = await world.comparison(replica)
    if (IS_LONG) await compared.everything(world.random)
    else await compared.someAddresses(world.random, 100)
    expect(compared.differences).toEqual([])
    expect(await contradictionsIn(world.service.sql)).toEqual([])
  }

  async function pay(count: number): Promise<void> {
    for (let left = Math.ceil(count); left > 0; left -= ROUND) await world.traffic.round(Math.min(left, ROUND))
  }
})
