import { chainRules } from '@trestle/bitcoin/chain-rules'
import { transaction } from '@trestle/database/transaction'
import { TotalsRepository } from '../../src/addresses/totals.repository.js'
import { MempoolRepository } from '../../src/mempool/mempool.repository.js'
import { MempoolSizeRepository } from '../../src/mempool/mempool-size.repository.js'
import { blockAfter, coinbase, payment, script } from './built-chain.js'
import { indexTables } from './index-tables.js'
import { MemoryNode } from './memory-node.js'
import { naiveIndex } from './naive-index.js'
import { AT_THE_TIP, type EmptyIndex, emptyIndex, IN_BULK, startWriter } from './writer-under-test.js'

// Dogecoin: an output or a transaction has 10 billion coins at most (MAX_MONEY), all of them together about 150 billion. A bigint of
// Postgres ends at 92 billion.
const MAX_MONEY = 10n ** 18n
const PARTS = 15
const TOTAL = BigInt(PARTS) * MAX_MONEY

const NOTHING = [{ value: 0n, script: script.data('none') }]
const rewarded = [blockAfter(undefined, [coinbase('genesis', NOTHING)], 0, 'doge')]
for (let i = 0; i < PARTS; i++)
  rewarded.push(blockAfter(rewarded.at(-1), [coinbase(`reward ${i}`, [{ value: MAX_MONEY, script: script.keyHash('whale') }])], 0, 'doge'))
const outpoints = rewarded.slice(1).flatMap(({ transactions }) => transactions.map(({ txid }) => ({ txid, vout: 0 })))
const payTo = (name: string, value = MAX_MONEY) =>
  outpoints.map((outpoint) => payment([outpoint], [{ value, script: script.keyHash(name) }]))
const after = (tag: string, transactions: ReturnType<typeof payTo> = []) =>
  blockAfter(rewarded.at(-1), [coinbase(tag, NOTHING), ...transactions], 0, 'doge')
const RULES = { ...chainRules('doge', 'regtest'), genesisHash: rewarded[0]?.header.hash.toString('hex') ?? '' }

describe('amounts beyond 64 bits', () => {
  let index: EmptyIndex
  beforeEach(async () => {
    index = await emptyIndex()
  })
  afterEach(() => index.drop())

  it.each([
    ['at the tip', AT_THE_TIP],
    ['in bulk', IN_BULK],
  ])('are added up, written %s, and subtracted when their block is disconnected', async (_, settings) => {
    const moved = [...rewarded, after('moved', payTo('whale'))]
    const fork = after('fork')
    const forked = [...rewarded, fork, blockAfter(fork, [coinbase('longer', NOTHING)], 0, 'doge')]
    await write(moved, settings)
    const { script: owners } = await indexTables(index.pool)
    expect(owners).toEqual(naiveIndex(moved, RULES).index.script)
    expect(owners).toEqual([expect.objectContaining({ received: String(2n * TOTAL), sent: String(TOTAL) })])
    await write(forked, settings)
    expect(await indexTables(index.pool)).toEqual(naiveIndex(forked, RULES).index)
  })

  it('are added up in the mempool: amounts', async () => {
    await announce(payTo('heir'))
    expect(await unconfirmedOf('mempool_output')).toBe(TOTAL)
    expect(await unconfirmedOf('mempool_spend')).toBe(-TOTAL)
  })

  it('are added up in the mempool: fees', async () => {
    await announce(payTo('heir', 0n))
    const bands = await transaction(index.pool, (client) => new MempoolSizeRepository().list(client))
    expect(bands.reduce((sum, { fees }) => sum + fees, 0n)).toBe(TOTAL)
  })

  it('leave the fee unknown of a transaction that no block may contain', async () => {
    await announce([payment(outpoints, NOTHING)])
    expect((await index.pool.query('SELECT fee FROM mempool_tx')).rows).toEqual([{ fee: null }])
  })

  async function announce(transactions: ReturnType<typeof payTo>): Promise<void> {
    await write(rewarded, AT_THE_TIP)
    const mempool = new MempoolRepository(index.pool, { TRACK: [] })
    const lease = await mempool.acquire(new AbortController().signal)
    const tip = await mempool.findTip()
    if (!tip) throw new Error('The index has no tip.')
    await mempool.change(lease, tip, (client) => mempool.insert(client, { transactions, seenAt: new Date(), tip }))
    await lease.release()
  }

  async function write(chain: MemoryNode['best'], settings: typeof AT_THE_TIP): Promise<void> {
    const node = new MemoryNode()
    node.follow(chain)
    const writer = startWriter({ url: index.url, source: node, rules: RULES, settings })
    await writer.settle()
    await writer.end()
  }

  /** Of the one owner in this table. */
  async function unconfirmedOf(table: 'mempool_output' | 'mempool_spend'): Promise<bigint> {
    const { rows } = await index.pool.query<{ key: string }>(`SELECT script_key AS key FROM ${table} LIMIT 1`)
    const { unconfirmed } = await transaction(index.pool, (client) => new TotalsRepository().find(client, rows[0]?.key ?? ''))
    return unconfirmed
  }
})
