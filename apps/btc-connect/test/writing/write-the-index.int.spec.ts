import type { Block } from '@trestle/bitcoin/block'
import { type ChainRules, chainRules } from '@trestle/bitcoin/chain-rules'
import { blockAfter, coinbase, payment, script } from './built-chain.js'
import { indexTables, undoTable } from './index-tables.js'
import { MemoryNode } from './memory-node.js'
import { naiveIndex } from './naive-index.js'
import { AT_THE_TIP, type EmptyIndex, emptyIndex, IN_BULK, startWriter } from './writer-under-test.js'

const REGTEST = chainRules('btc', 'regtest')

describe('the index', () => {
  let index: EmptyIndex
  let node: MemoryNode

  beforeEach(async () => {
    index = await emptyIndex()
    node = new MemoryNode()
  }, 30_000)

  afterEach(() => index.drop())

  it.each([
    ['at the tip', AT_THE_TIP],
    ['in bulk', IN_BULK],
  ])('holds what a chain says, written %s', async (_, settings) => {
    const chain = varied()
    node.follow(chain)
    await write({ settings })
    const expected = naiveIndex(chain, REGTEST)
    expect(await indexTables(index.pool)).toEqual(expected.index)
    expect(await undoTable(index.pool)).toEqual(expected.undo)
  })

  async function write(options: { settings?: typeof AT_THE_TIP; rules?: ChainRules } = {}) {
    const writer = startWriter({ url: index.url, source: node, rules: options.rules ?? rulesOf(node), settings: options.settings })
    try {
      await writer.settle()
    } finally {
      await writer.end()
    }
  }
})

function rulesOf(node: MemoryNode): ChainRules {
  return { ...REGTEST, genesisHash: node.best[0]!.header.hash.toString('hex') }
}

/** Every kind of output; spends in the block itself, of several outputs at once, and of one's own. */
function varied(): Block[] {
  const genesis = blockAfter(undefined, [coinbase('0', [{ value: 50n, script: script.key('satoshi') }])])
  const one = blockAfter(genesis, [coinbase('1', [{ value: 50n, script: script.keyHash('ann') }, { value: 0n, script: script.data('x') }])])
  const [first] = one.transactions
  const split = payment(
    [{ txid: first!.txid, vout: 0 }],
    [script.key('ann'), script.keyHash('ann'), script.scriptHash('bob'), script.witness('cy'), script.taproot('dee'), script.empty(), script.long(), script.tooLong(), script.data('y')].map(
      (each, value) => ({ value: BigInt(value), script: each }),
    ),
  )
  const join = payment([0, 1, 3].map((vout) => ({ txid: split.txid, vout })), [{ value: 2n, script: script.keyHash('ann') }])
  const two = blockAfter(one, [coinbase('2', [{ value: 1n, script: script.witness('pool') }, { value: 2n, script: script.taproot('pool') }]), split, join])
  const three = blockAfter(two, [coinbase('3', [{ value: 2_100_000_000_000_000n, script: script.keyHash('pool') }])])
  const unknown = payment([{ txid: Buffer.alloc(32, 9), vout: 3 }, { txid: join.txid, vout: 0 }], [{ value: 2n, script: script.scriptHash('bob') }])
  return [genesis, one, two, three, blockAfter(three, [coinbase('4', [{ value: 50n, script: script.keyHash('ann') }]), unknown])]
}
