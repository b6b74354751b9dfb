import type { Block } from '@trestle/bitcoin/block'
import { type ChainRules, chainRules } from '@trestle/bitcoin/chain-rules'
import type { Transaction } from '@trestle/bitcoin/transaction'
import { Clock } from '@trestle/runtime/clock'
import type { MempoolClient } from '../../src/mempool/mempool.client.js'
import { MempoolRepository } from '../../src/mempool/mempool.repository.js'
import { type MempoolFollower, MempoolService } from '../../src/mempool/mempool.service.js'
import { blockAfter, coinbase, payment, script } from './built-chain.js'
import { indexTables } from './index-tables.js'
import { MemoryNode } from './memory-node.js'
import { naiveIndex } from './naive-index.js'
import { AT_THE_TIP, type EmptyIndex, emptyIndex, startWriter } from './writer-under-test.js'

const to = (name: string, value = 50n) => ({ value, script: script.witness(name) })
const outputOf = ({ txid }: Transaction, vout = 0) => ({ txid, vout })

const genesis = blockAfter(undefined, [coinbase('0', [to('satoshi')])])
const one = blockAfter(genesis, [coinbase('1', [to('ann'), to('bob'), to('cy'), to('dee')])])
const [money] = one.transactions as [Transaction]
const RULES: ChainRules = { ...chainRules('btc', 'regtest'), genesisHash: genesis.header.hash.toString('hex') }

// In blocks first: a payment, and one that lives from it some blocks later.
const parent = payment([outputOf(money)], [to('eve', 30n), to('ann', 20n)])
const child = payment([outputOf(parent), outputOf(money, 3)], [to('fay', 80n)])
// In the mempool all the time.
const grandchild = payment([outputOf(child)], [to('gus', 80n)])
const bystander = payment([outputOf(money, 1)], [to('hal')])

describe('after a reorganization deeper than the undo rows', () => {
  let index: EmptyIndex
  let node: MemoryNode
  let waiting: readonly Transaction[]
  let mempool: MempoolFollower

  beforeEach(async () => {
    index = await emptyIndex()
    node = new MemoryNode()
  })

  afterEach(async () => {
    await mempool.lease.release()
    await index.drop()
  })

  it('the mempool matches the node’s again, with the transactions of the disconnected blocks', async () => {
    const before = grown(one, 'a', [[parent], [], [], [child], [], []])
    await write([genesis, one, ...before])
    const doomed = payment([outputOf(before[1]!.transactions[0]!)], [to('ivy')])
    mempool = await follow()
    await look([bystander, grandchild, doomed])
    expect(await kept()).toEqual(idsOf(bystander, grandchild, doomed))
    const after = [genesis, one, ...grown(one, 'b', [[], [], [], [], [], [], []])]
    await write(after)
    expect(await indexTables(index.pool)).toEqual(naiveIndex(after, RULES).index)
    // A node lists in no order.
    await look([grandchild, child, bystander, parent])
    expect(await kept()).toEqual(idsOf(bystander, grandchild, child, parent))
    expect(await owners()).toEqual(await ownersOf([bystander, grandchild, child, parent]))
  })

  /** Blocks with these transactions beside a coinbase of their own. */
  function grown(from: Block, tag: string, contents: readonly (readonly Transaction[])[]): Block[] {
    const blocks = [from]
    for (const [i, transactions] of contents.entries())
      blocks.push(blockAfter(blocks.at(-1), [coinbase(`${tag}${i}`, [to('pool')]), ...transactions]))
    return blocks.slice(1)
  }

  async function write(chain: readonly Block[]): Promise<void> {
    node.follow(chain)
    const writer = startWriter({ url: index.url, source: node, rules: RULES, settings: { ...AT_THE_TIP, undoBlocks: 2 } })
    await writer.settle()
    await writer.end()
  }

  function follow(): Promise<MempoolFollower> {
    const client = {
      list: async () => ({ txids: idsOf(...waiting), tip: node.best.at(-1)?.header.hash }),
      fetch: async (txids: readonly string[]) => ({
        transactions: waiting.filter(({ txid }) => txids.includes(txid.toString('hex'))),
        unparseable: [],
      }),
    } as unknown as MempoolClient
    return new MempoolService(client, new MempoolRepository(index.pool, { TRACK: [] }), new Clock()).begin(new AbortController().signal)
  }

  async function look(transactions: readonly Transaction[]): Promise<void> {
    waiting = transactions
    await mempool.sync()
  }

  async function kept(): Promise<string[]> {
    const { rows } = await index.pool.query<{ id: string }>("SELECT encode(txid, 'hex') AS id FROM mempool_tx ORDER BY id")
    return rows.map(({ id }) => id)
  }

  /** Which value of whom moves where, as the tables have it. */
  async function owners(): Promise<unknown[]> {
    const { rows } = await index.pool.query(
      `SELECT txid, -1 - vin AS place, value, script_key IS NOT NULL AS known FROM mempool_spend
       UNION ALL SELECT txid, vout, value, true FROM mempool_output ORDER BY txid, place`,
    )
    return rows
  }

  /** The same, from the transactions. */
  async function ownersOf(transactions: readonly Transaction[]): Promise<unknown[]> {
    const made = new Map(
      [money, ...transactions].flatMap(({ txid, outputs }) => outputs.map(({ value }, vout) => [`${txid.toString('hex')} ${vout}`, value])),
    )
    return transactions
      .flatMap(({ txid, inputs, outputs }) => [
        ...inputs.map((input, vin) => ({
          txid,
          place: -1 - vin,
          value: String(made.get(`${input.txid.toString('hex')} ${input.vout}`)),
          known: true,
        })),
        ...outputs.map(({ value }, place) => ({ txid, place, value: String(value), known: true })),
      ])
      .sort((a, b) => Buffer.compare(a.txid, b.txid) || a.place - b.place)
  }
})

function idsOf(...transactions: readonly Transaction[]): string[] {
  return transactions.map(({ txid }) => txid.toString('hex')).sort()
}
