import type { Block } from '@trestle/bitcoin/block'
import { type ChainRules, chainRules } from '@trestle/bitcoin/chain-rules'
import { LeaseLost } from '@trestle/database/lease'
import { Client } from 'pg'
import type { IndexSettings } from '../../src/index/settings.js'
import { BadBlock, NodeUnreachable } from '../../src/node/node-errors.js'
import { blockAfter, coinbase, payment, script } from './built-chain.js'
import { indexTables, undoTable } from './index-tables.js'
import { MemoryNode } from './memory-node.js'
import { naiveIndex } from './naive-index.js'
import { type Growth, RANDOM_RULES, randomChains } from './random-chain.js'
import { AT_THE_TIP, type EmptyIndex, emptyIndex, IN_BULK, startWriter } from './writer-under-test.js'

const REGTEST = chainRules('btc', 'regtest')

const WAYS: [string, IndexSettings][] = [
  ['at the tip', AT_THE_TIP],
  ['in bulk', IN_BULK],
]

describe('the index', () => {
  let index: EmptyIndex
  let node: MemoryNode

  beforeEach(async () => {
    index = await emptyIndex()
    node = new MemoryNode()
  })

  afterEach(() => index.drop())

  it.each(WAYS)('holds what a chain contains, written %s', async (_, settings) => {
    const chain = varied()
    node.follow(chain)
    await write(settings)
    const expected = naiveIndex(chain, REGTEST)
    expect(await indexTables(index.pool)).toEqual(expected.index)
    expect(await undoTable(index.pool)).toEqual(expected.undo)
  })

  it.each(WAYS)('begins at a height, written %s', async (_, settings) => {
    const [before, after] = randomChains([grown(12), { left: 4, blocks: 6, seed: 2 }]) as [Block[], Block[]]
    for (const chain of [before, after]) {
      node.follow(chain)
      await write({ ...settings, startHeight: 5 }, RANDOM_RULES)
      expect(await indexTables(index.pool)).toEqual(naiveIndex(chain, RANDOM_RULES, 5).index)
    }
  })

  it.each(WAYS)('holds the tracked addresses only, written %s', async (_, settings) => {
    const chain = randomChains([grown(20)])[0]!
    node.follow(chain)
    const owner = script.scriptHash('bob')
    await write({ ...settings, track: [owner] }, RANDOM_RULES)
    const { index: all } = naiveIndex(chain, RANDOM_RULES)
    const isOwners = (row: unknown) => (row as { script: string }).script === owner.toString('hex')
    const { script: scripts, script_tx, txo, tx } = await indexTables(index.pool)
    expect({ scripts, script_tx, txo, tx }).toEqual({
      scripts: all.script.filter(isOwners),
      script_tx: all.script_tx.filter(isOwners),
      txo: all.txo.filter(isOwners),
      tx: all.tx,
    })
  })

  it('is loaded again from the fork when the node switches branches during the load', async () => {
    const [before, after] = randomChains([grown(12), { left: 5, blocks: 8, seed: 9 }]) as [Block[], Block[]]
    node.follow(before)
    node.beforeBlock = (height) => {
      if (height !== 11) return
      node.beforeBlock = undefined
      node.follow(after)
    }
    await write(IN_BULK, RANDOM_RULES, { retries: 1 })
    expect(await indexTables(index.pool)).toEqual(naiveIndex(after, RANDOM_RULES).index)
  })

  it('has the tables and indexes of the migrations after a load', async () => {
    const fresh = await emptyIndex()
    node.follow(randomChains([grown(10)])[0]!)
    await write(IN_BULK, RANDOM_RULES)
    expect(await catalog(index)).toEqual(await catalog(fresh))
    await fresh.drop()
  })

  it('keeps disconnected blocks until they are connected again', async () => {
    const [one, other] = randomChains([grown(8), { left: 3, blocks: 4, seed: 2 }]) as [Block[], Block[]]
    node.follow(one)
    await write(AT_THE_TIP, RANDOM_RULES)
    node.follow(other)
    await write(AT_THE_TIP, RANDOM_RULES)
    expect(await stale()).toEqual(summaries(one, 6))
    node.follow([...one, blockAfter(one.at(-1), [coinbase('more', [])])])
    await write(AT_THE_TIP, RANDOM_RULES)
    expect(await stale()).toEqual(summaries(other, 6))
  })

  it('disconnects a few blocks that the node disconnected, and waits if it has far fewer', async () => {
    const chain = randomChains([grown(12)])[0]!
    const settings = { ...AT_THE_TIP, undoBlocks: 5 }
    node.follow(chain)
    await write(settings, RANDOM_RULES)
    node.follow(chain.slice(0, 10))
    await write(settings, RANDOM_RULES)
    expect(await indexTables(index.pool)).toEqual(naiveIndex(chain.slice(0, 10), RANDOM_RULES).index)
    node.follow(chain.slice(0, 2))
    await write(settings, RANDOM_RULES)
    expect(await indexTables(index.pool)).toEqual(naiveIndex(chain.slice(0, 10), RANDOM_RULES).index)
    expect(await condition()).toEqual({
      condition: 'syncing',
      condition_detail: 'The node is at block 1, the index at 9 of the same chain.',
    })
  })

  it('disconnects more blocks than there are undo rows for', async () => {
    const [one, other] = randomChains([grown(12), { left: 9, blocks: 10, seed: 2 }]) as [Block[], Block[]]
    const settings = { ...AT_THE_TIP, undoBlocks: 3 }
    node.follow(one)
    await write(settings, RANDOM_RULES)
    expect(Object.keys(await undoTable(index.pool))).toEqual(['10', '11', '12'])
    node.follow(other)
    await write(settings, RANDOM_RULES)
    expect(await indexTables(index.pool)).toEqual(naiveIndex(other, RANDOM_RULES).index)
    expect(await condition()).toEqual({ condition: 'finished', condition_detail: null })
  })

  it.each(WAYS)('continues where it was after a failure of the node, written %s', async (_, settings) => {
    const chain = randomChains([grown(12)])[0]!
    node.follow(chain)
    node.beforeBlock = (height) => {
      if (height === 7) throw new BadBlock('no block of ours')
    }
    await expect(write(settings, RANDOM_RULES)).rejects.toBeInstanceOf(BadBlock)
    expect(await condition()).toEqual({ condition: 'bad-block', condition_detail: 'no block of ours' })
    node.beforeBlock = undefined
    node.failure = new NodeUnreachable('gone')
    await expect(write(settings, RANDOM_RULES)).rejects.toBeInstanceOf(NodeUnreachable)
    expect(await condition()).toEqual({ condition: 'node-unreachable', condition_detail: 'gone' })
    node.failure = undefined
    await write(settings, RANDOM_RULES)
    expect(await indexTables(index.pool)).toEqual(naiveIndex(chain, RANDOM_RULES).index)
    expect(await condition()).toEqual({ condition: 'finished', condition_detail: null })
  })

  it.each([
    ['another chain', {}, { ...RANDOM_RULES, genesisHash: '00'.repeat(32) }],
    ['another first height', { startHeight: 1 }, RANDOM_RULES],
    ['other addresses', { track: [script.witness('ann')] }, RANDOM_RULES],
  ])('refuses to continue for %s', async (_, settings, rules) => {
    node.follow(randomChains([grown(2)])[0]!)
    await write(AT_THE_TIP, RANDOM_RULES)
    await expect(write({ ...AT_THE_TIP, ...settings }, rules)).rejects.toThrow('This schema holds an index made for another chain')
  })

  it('notifies listeners', async () => {
    const listener = new Client(index.url)
    await listener.connect()
    const told: string[] = []
    listener.on('notification', ({ channel, payload }) => told.push(`${channel} ${payload}`))
    await listener.query('LISTEN tip')
    node.follow(randomChains([grown(3)])[0]!)
    await write(AT_THE_TIP, RANDOM_RULES)
    await listener.query('SELECT')
    expect(new Set(told)).toEqual(new Set(['tip btc']))
    await listener.end()
  })

  it('is written by one process at a time, and by none that has lost its lease', async () => {
    const [before, after] = randomChains([grown(4), { left: 0, blocks: 3, seed: 2 }]) as [Block[], Block[]]
    node.follow(before)
    const stop = new AbortController().signal
    const [paused, other] = [1, 2].map(() => startWriter({ url: index.url, source: node, rules: RANDOM_RULES }))
    const run = await paused!.indexer.begin(stop)
    while (await paused!.indexer.step(run));
    // Stopped for longer than its lease, and with its connections still open.
    await index.pool.query("UPDATE lease SET held_until = clock_timestamp() - interval '1 second'")
    await other!.indexer.begin(stop)
    node.follow(after)
    await expect(paused!.indexer.step(run)).rejects.toBeInstanceOf(LeaseLost)
    expect(await indexTables(index.pool)).toEqual(naiveIndex(before, RANDOM_RULES).index)
    await Promise.all([paused!.end(), other!.end()])
  })

  it.each([
    ['block', 'size = size + 1'],
    ['tx', 'height = height + 1'],
    ['tx_raw', "raw = raw || '\\x00'"],
    ['own_script', 'vout = vout + 1'],
    ['txo', 'value = value + 1'],
    ['script', 'received = received + 1'],
    ['script_tx', 'pos = pos + 1000'],
  ])('has another checksum if something in %s differs', async (table, change) => {
    node.follow(varied())
    await write(AT_THE_TIP)
    const before = await index.checksum()
    await index.pool.query(`UPDATE ${table} SET ${change} WHERE ctid = (SELECT min(ctid) FROM ${table})`)
    expect(await index.checksum()).toEqual({ ...before, [table]: expect.not.stringMatching(`^${before[table as 'tx']}$`) })
  })

  async function write(settings: IndexSettings, rules: ChainRules = rulesOf(node), { retries = 0 } = {}): Promise<void> {
    const writer = startWriter({ url: index.url, source: node, rules, settings })
    try {
      for (let left = retries; ; left--) {
        try {
          return await writer.settle()
        } catch (error) {
          await writer.indexer.report(error).catch(() => {})
          if (left === 0) throw error
          await writer.indexer.end()
        }
      }
    } finally {
      await writer.end()
    }
  }

  async function condition(): Promise<unknown> {
    return (await index.pool.query('SELECT condition, condition_detail FROM index_state')).rows[0]
  }

  async function stale(): Promise<unknown> {
    return (await index.pool.query('SELECT height, hash, txids FROM stale_block ORDER BY height')).rows
  }
})

function grown(blocks: number): Growth {
  return { left: 0, blocks, seed: 1 }
}

function summaries(chain: readonly Block[], from: number): unknown {
  return chain.slice(from).map(({ header, transactions }, i) => ({
    height: from + i,
    hash: header.hash,
    txids: transactions.map(({ txid }) => txid),
  }))
}

/** Every index and constraint there is. */
async function catalog({ pool }: EmptyIndex): Promise<unknown> {
  const indexes = await pool.query(
    'SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1, 2',
  )
  const constraints = await pool.query(
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'btc'::regnamespace ORDER BY 1, 2",
  )
  return [indexes.rows, constraints.rows]
}

function rulesOf(node: MemoryNode): ChainRules {
  return { ...REGTEST, genesisHash: node.best[0]!.header.hash.toString('hex') }
}

/** Every kind of output; spends in the block itself, of several outputs at once, and of one's own. */
function varied(): Block[] {
  const genesis = blockAfter(undefined, [coinbase('0', [{ value: 50n, script: script.key('satoshi') }])])
  const one = blockAfter(genesis, [
    coinbase('1', [
      { value: 50n, script: script.keyHash('ann') },
      { value: 0n, script: script.data('x') },
    ]),
  ])
  const [first] = one.transactions
  const kinds = [
    script.key('ann'),
    script.keyHash('ann'),
    script.scriptHash('bob'),
    script.witness('cy'),
    script.taproot('dee'),
    script.empty(),
    script.long(),
    script.tooLong(),
    script.data('y'),
  ]
  const split = payment(
    [{ txid: first!.txid, vout: 0 }],
    kinds.map((each, value) => ({ value: BigInt(value), script: each })),
  )
  const join = payment(
    [0, 1, 3].map((vout) => ({ txid: split.txid, vout })),
    [{ value: 2n, script: script.keyHash('ann') }],
  )
  const pool = [
    { value: 1n, script: script.witness('pool') },
    { value: 2n, script: script.taproot('pool') },
  ]
  const two = blockAfter(one, [coinbase('2', pool), split, join])
  const three = blockAfter(two, [coinbase('3', [{ value: 2_100_000_000_000_000n, script: script.keyHash('pool') }])])
  const unknown = payment(
    [
      { txid: Buffer.alloc(32, 9), vout: 3 },
      { txid: join.txid, vout: 0 },
    ],
    [{ value: 2n, script: script.scriptHash('bob') }],
  )
  return [genesis, one, two, three, blockAfter(three, [coinbase('4', [{ value: 50n, script: script.keyHash('ann') }]), unknown])]
}
