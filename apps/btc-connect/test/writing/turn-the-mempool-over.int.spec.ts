import type { Block } from '@trestle/bitcoin/block'
import { type ChainRules, chainRules } from '@trestle/bitcoin/chain-rules'
import type { Transaction } from '@trestle/bitcoin/transaction'
import type { IndexSettings } from '../../src/index/settings.js'
import { blockAfter, coinbase, payment, script } from './built-chain.js'
import { MemoryNode } from './memory-node.js'
import { AT_THE_TIP, type EmptyIndex, emptyIndex, startWriter } from './writer-under-test.js'

const COIN = 50n
const to = (name: string, value = COIN) => ({ value, script: script.witness(name) })
const outputOf = ({ txid }: Transaction, vout = 0) => ({ txid, vout })

const genesis = blockAfter(undefined, [coinbase('0', [to('satoshi')])])
const one = blockAfter(genesis, [coinbase('1', [to('ann'), to('bob'), to('cy'), to('dee')])])
const [money] = one.transactions as [Transaction]

const RULES: ChainRules = { ...chainRules('btc', 'regtest'), genesisHash: genesis.header.hash.toString('hex') }

describe('the mempool, when blocks are connected and disconnected', () => {
  let index: EmptyIndex
  let node: MemoryNode

  beforeEach(async () => {
    index = await emptyIndex()
    node = new MemoryNode()
    await follow(genesis, one)
  })

  afterEach(() => index.drop())

  it('loses what a block confirms, and keeps its descendants', async () => {
    const parent = payment([outputOf(money)], [to('eve')])
    const child = payment([outputOf(parent)], [to('fay')])
    await announce(parent, child)
    await follow(genesis, one, blockAfter(one, [coinbase('2', [to('pool')]), parent]))
    expect(await mempool()).toEqual(idsOf(child))
  })

  it('loses what a block conflicts with, and its descendants', async () => {
    const loser = payment([outputOf(money), outputOf(money, 1)], [to('eve')])
    const child = payment([outputOf(loser)], [to('fay')])
    const grandchild = payment([outputOf(child), outputOf(money, 2)], [to('gus')])
    const bystander = payment([outputOf(money, 3)], [to('hal')])
    await announce(loser, child, grandchild, bystander)
    const winner = payment([outputOf(money, 1)], [to('ivy')])
    await follow(genesis, one, blockAfter(one, [coinbase('2', [to('pool')]), winner]))
    expect(await mempool()).toEqual(idsOf(bystander))
    expect(await tables()).toMatchObject({ counted: 1, outputs: 1, spends: 1 })
  })

  it.each([
    ['from what is stored', AT_THE_TIP],
    ['from the node', { ...AT_THE_TIP, storeRaw: false }],
  ])('has the transactions of a disconnected block again, except its coinbase: %s', async (_, settings) => {
    const parent = payment([outputOf(money)], [to('eve', 30n), { value: 0n, script: script.data('x') }, to('eve', 19n)])
    const child = payment([outputOf(parent, 2)], [to('fay', 19n)])
    const two = blockAfter(one, [coinbase('2', [to('pool')]), parent, child])
    await rewrite(settings, genesis, one, two)
    if (settings.storeRaw) node.known.clear()
    const waiting = payment([outputOf(money, 1)], [to('hal')])
    await announce(waiting)
    await rewrite(settings, genesis, one, blockAfter(one, [coinbase('2b', [to('pool')])]))
    expect(await mempool()).toEqual(idsOf(parent, child, waiting))
    const { rows } = await index.pool.query(
      `SELECT prev_vout, vin, value::int, script_key = (SELECT script_key FROM mempool_output WHERE txid = $1 AND vout = 0) AS eves
       FROM mempool_spend WHERE txid = ANY($2::bytea[]) ORDER BY value`,
      [parent.txid, [parent.txid, child.txid]],
    )
    expect(rows).toEqual([
      { prev_vout: 2, vin: 0, value: 19, eves: true },
      { prev_vout: 0, vin: 0, value: 50, eves: false },
    ])
    expect((await index.pool.query('SELECT vout FROM mempool_output WHERE txid = $1 ORDER BY vout', [parent.txid])).rows).toEqual([
      { vout: 0 },
      { vout: 2 },
    ])
    const prices = 'SELECT fee::int, rate FROM mempool_tx WHERE txid = ANY($1::bytea[]) ORDER BY fee'
    expect((await index.pool.query(prices, [[parent.txid, child.txid]])).rows).toEqual([
      { fee: 0, rate: 0 },
      { fee: 1, rate: 0 },
    ])
    expect(await tables()).toMatchObject({ transactions: 3, counted: 3 })
    expect((await index.pool.query('SELECT first_seen < now() AS past FROM mempool_tx WHERE txid = $1', [parent.txid])).rows).toEqual([
      { past: true },
    ])
  })

  it('loses the descendants of the coinbase of a disconnected block', async () => {
    const two = blockAfter(one, [coinbase('2', [to('pool')])])
    await follow(genesis, one, two)
    const spender = payment([outputOf(two.transactions[0]!)], [to('eve')])
    const child = payment([outputOf(spender)], [to('fay')])
    await announce(spender, child)
    await follow(genesis, one, blockAfter(one, [coinbase('2b', [to('pool')])]))
    expect(await mempool()).toEqual(idsOf())
  })

  it('works without a block that no longer exists anywhere', async () => {
    const two = blockAfter(one, [coinbase('2', [to('pool')]), payment([outputOf(money)], [to('eve')])])
    const settings = { ...AT_THE_TIP, storeRaw: false }
    await rewrite(settings, genesis, one, two)
    node.known.clear()
    await rewrite(settings, genesis, one, blockAfter(one, [coinbase('2b', [to('pool')])]))
    expect(await mempool()).toEqual(idsOf())
  })

  it('confirms again what was disconnected', async () => {
    const paid = payment([outputOf(money)], [to('eve')])
    await follow(genesis, one, blockAfter(one, [coinbase('2', [to('pool')]), paid]))
    await follow(genesis, one, blockAfter(one, [coinbase('2b', [to('pool')])]))
    expect(await mempool()).toEqual(idsOf(paid))
    await follow(genesis, one, blockAfter(one, [coinbase('2c', [to('pool')]), paid]))
    expect(await tables()).toEqual({ transactions: 0, counted: 0, outputs: 0, spends: 0 })
  })

  function follow(...chain: Block[]): Promise<void> {
    return rewrite(AT_THE_TIP, ...chain)
  }

  async function rewrite(settings: IndexSettings, ...chain: Block[]): Promise<void> {
    node.follow(chain)
    const writer = startWriter({ url: index.url, source: node, rules: RULES, settings })
    await writer.settle()
    await writer.end()
  }

  /** As whoever follows the node's mempool would. */
  async function announce(...transactions: Transaction[]): Promise<void> {
    for (const { txid, raw, inputs, outputs } of transactions) {
      const { rows } = await index.pool.query('UPDATE index_state SET mempool_seq = mempool_seq + 1 RETURNING mempool_seq')
      await index.pool.query('INSERT INTO mempool_tx VALUES ($1, $2, now(), $3)', [txid, raw, rows[0].mempool_seq])
      for (const [vout, { value }] of outputs.entries())
        await index.pool.query('INSERT INTO mempool_output VALUES ($1, $2, $3, gen_random_uuid())', [txid, vout, value])
      for (const [vin, input] of inputs.entries())
        await index.pool.query('INSERT INTO mempool_spend VALUES ($1, $2, $3, $4)', [input.txid, input.vout, txid, vin])
    }
  }

  /** In the order in which they came. */
  async function mempool(): Promise<string[]> {
    const { rows } = await index.pool.query<{ id: string }>("SELECT encode(txid, 'hex') AS id FROM mempool_tx ORDER BY seq")
    return rows.map(({ id }) => id)
  }

  async function tables(): Promise<unknown> {
    const { rows } = await index.pool.query(
      `SELECT (SELECT count(*) FROM mempool_tx)::int AS transactions, (SELECT sum(transactions) FROM mempool_band)::int AS counted,
         (SELECT count(*) FROM mempool_output)::int AS outputs, (SELECT count(*) FROM mempool_spend)::int AS spends`,
    )
    return rows[0]
  }
})

function idsOf(...transactions: Transaction[]): string[] {
  return transactions.map(({ txid }) => txid.toString('hex'))
}
