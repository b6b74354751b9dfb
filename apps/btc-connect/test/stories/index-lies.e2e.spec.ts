import { readFileSync } from 'node:fs'
import { jest } from '@jest/globals'
import { eventually } from '@trestle/testing/eventually'
import type { BuiltReplica, BuiltService } from './built-service.js'
import { checksumOf, contradictionsIn } from './invariants.js'
import { alteringBlocks, gone, half, type Lie, type LyingNode, page, refusal, results, slow, startLyingNode } from './lying-node.js'
import { StoryWorld } from './world.js'

// A real node behind somebody who changes what it says. Whatever that is: the service says so, goes on with what it has, and comes back
// by itself when the node is honest again.

jest.setTimeout(240_000)

/** Of the block's last bytes, which are of a witness: the header's merkle root does not cover them. */
const resigned = (raw: Buffer) => changed(raw, raw.length - 20)
/** Of the coinbase's input. */
const flipped = (raw: Buffer) => changed(raw, 130)
// After the version, the hash before, the merkle root and the time come the bits: a target that no hash meets.
const unproven = (raw: Buffer) => Buffer.concat([raw.subarray(0, 72), Buffer.from('ffff0010', 'hex'), raw.subarray(76)])
const ofChain = (change: object) =>
  results((method, result) => (method === 'getblockchaininfo' ? { ...(result as object), ...change } : result))
const isBlock = (method: string) => method === 'getblock'

let genesis: Buffer = Buffer.alloc(0)
let block99 = ''

// All of them with ROUNDS=30: each takes as long as a writer waits before it looks at a node again.
const IS_LONG = Number(process.env.ROUNDS ?? 0) > 3

// The first few stand for all in the short run.
const LIES: [string, Lie, string][] = [
  ['is gone', gone, 'node-unreachable'],
  ['is of another network', ofChain({ chain: 'main' }), 'wrong-network'],
  ['has thrown its blocks away', refusal(-1, 'Block not available (pruned data)', isBlock), 'node-pruned'],
  ['gives half a block', alteringBlocks((raw) => raw.subarray(0, raw.length / 2)), 'bad-block'],
  ['gives a block with one bit changed', alteringBlocks(flipped), 'bad-block'],
  ['gives the same block always', alteringBlocks(() => genesis), 'bad-block'],
  ['starts up', refusal(-28, 'Loading block index...'), 'node-unreachable'],
  ['is a web page', page, 'node-unreachable'],
  ['breaks off in the middle', half, 'node-unreachable'],
  [
    'has another first block',
    results((method, result, [height]) => (method === 'getblockhash' && height === 0 ? '00'.repeat(32) : result)),
    'wrong-network',
  ],
  ['gives more than a block', alteringBlocks((raw) => Buffer.concat([raw, Buffer.of(0)])), 'bad-block'],
  ['gives a block with another signature', alteringBlocks(resigned), 'bad-block'],
  ['gives a block that nobody worked for', alteringBlocks(unproven), 'bad-block'],
]
const STANDING_FOR_ALL = 6

// What cannot be told from a chain that moves at this moment.
const CONFUSION: [string, Lie][] = [
  [
    'names an earlier block as the next',
    results((method, result, [height]) => (method === 'getblockhash' && Number(height) > 100 ? block99 : result)),
  ],
  ['says that it has more blocks than it has', ofChain({ blocks: 100_000 })],
  ['says that its tip is a block that nobody knows', ofChain({ bestblockhash: 'ab'.repeat(32) })],
]

function changed(raw: Buffer, at: number): Buffer {
  const other = Buffer.from(raw)
  other[at] = (other[at] ?? 0) ^ 1
  return other
}

describe('a node that', () => {
  let world: StoryWorld
  let proxy: LyingNode
  let replica: BuiltReplica

  beforeAll(async () => {
    world = await StoryWorld.create('litecoind', {
      seed: 3,
      hasWallet: false,
      settings: { BULK_MIN_BLOCKS: '100' },
      between: async (node) => {
        proxy = await startLyingNode(node)
        return proxy.url
      },
    })
    await world.traffic.begin()
    await world.traffic.round(60)
    block99 = await world.node.console.call('getblockhash', 99)
    const first = await world.node.console.call<string>('getblockhash', 0)
    genesis = Buffer.from(await world.node.console.call<string>('getblock', first, 0), 'hex')
    replica = await world.service.start()
    await replica.ready()
    await world.caughtUp()
  })

  afterEach(() => {
    proxy.lie()
  })

  afterAll(async () => {
    proxy.stop()
    await world.end()
  })

  it.each(IS_LONG ? LIES : LIES.slice(0, STANDING_FOR_ALL))(
    '%s is reported, not trusted, and followed again later',
    async (_name, lie, condition) => {
      const before = await world.truth()
      proxy.lie(lie)
      await world.traffic.pay(5)
      await world.traffic.close()
      const told = await eventually(async () => {
        const { body } = await replica.get('/sync')
        return body.status === 'error' ? body : undefined
      }, condition)
      expect(await conditionOf(world.service)).toBe(condition)
      expect(told.error).not.toContain(readFileSync(world.node.cookieFile, 'utf8').split(':')[1])
      expect(told.height).toBe(before.state.tip.height)
      await stillKnows(before)
      expect(proxy.lies()).toBeGreaterThan(0)
      proxy.lie()
      await isWholeAgain()
    },
  )

  it.each(IS_LONG ? CONFUSION : CONFUSION.slice(0, 1))('%s is not trusted, and followed again later', async (_name, lie) => {
    proxy.lie(lie)
    await world.traffic.pay(5)
    await world.traffic.close()
    await eventually(async () => (await replica.get('/sync')).body.status === 'syncing' || undefined, 'it is told')
    await stillKnows(await world.truth())
    proxy.lie()
    await isWholeAgain()
  })

  it('is slow is followed slowly', async () => {
    proxy.lie(slow(300))
    await world.traffic.round(10)
    await world.caughtUp()
    expect((await replica.get('/sync')).body).toMatchObject({ status: 'finished', error: null })
  })

  it('stops and starts again is followed again', async () => {
    await world.node.stop()
    await eventually(async () => (await replica.get('/sync')).body.status === 'error' || undefined, 'it is told')
    await world.node.start()
    await world.traffic.refresh()
    await world.traffic.round(10)
    await isWholeAgain()
  })

  it('does any of that while an empty index is loaded does no damage', async () => {
    const fresh = await world.service.another()
    const [first, ...others] = IS_LONG ? LIES : LIES.slice(1, STANDING_FOR_ALL - 2)
    proxy.lie(first?.[1])
    await fresh.start('indexer')
    for (const [, lie, condition] of [first, ...others] as typeof LIES) {
      proxy.lie(lie)
      await eventually(async () => ((await conditionOf(fresh)) === condition && proxy.lies() > 0) || undefined, condition, 60_000)
    }
    proxy.lie()
    await world.caughtUp(fresh)
    expect(await checksumOf(fresh.sql)).toEqual(await checksumOf(world.service.sql))
    await fresh.stop()
  })

  it('did all of this leaves a correct index', async () => {
    expect((await world.compare(replica)).differences).toEqual([])
    expect(await contradictionsIn(world.service.sql)).toEqual([])
  })

  async function conditionOf({ sql }: Pick<BuiltService, 'sql'>): Promise<string> {
    const { rows } = await sql.query<{ condition: string }>('SELECT condition FROM index_state')
    return rows[0]?.condition ?? ''
  }

  /** Answers are true of a block that the node had, if not of its last. */
  async function stillKnows({ state }: Awaited<ReturnType<StoryWorld['truth']>>): Promise<void> {
    for (const address of [...state.addresses.keys()].slice(0, 10)) {
      const { status, height, body } = await replica.get(`/addr/${address}?noTxList=1`)
      expect(status).toBe(200)
      const { received, sent, history } = state.upTo(height).figuresOf(address)
      expect(body).toMatchObject({ totalReceivedSat: Number(received), totalSentSat: Number(sent), txApperances: history.length })
    }
  }

  async function isWholeAgain(): Promise<void> {
    await world.caughtUp()
    await eventually(async () => (await replica.get('/sync')).body.status === 'finished' || undefined, 'it says so')
    expect(await contradictionsIn(world.service.sql)).toEqual([])
  }
})
