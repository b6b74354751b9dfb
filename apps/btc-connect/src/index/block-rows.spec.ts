import { chainRules } from '@trestle/bitcoin/chain-rules'
import { blockAfter, coinbase, payment, script } from '../../test/writing/built-chain.js'
import { ChainMoved } from '../node/node-errors.js'
import { addRows, type OutputRow, type RowSink, rowRules, type SpendRow, type TransactionRow } from './block-rows.js'
import { chainworkBytes, chainworkOf, emptyChainEnd } from './chain-end.js'

const TRACK_ALL = { isTracked: () => true }
const RULES = rowRules(Buffer.alloc(16, 7), TRACK_ALL, chainRules('btc', 'regtest'))
const ANN = { value: 50n, script: script.keyHash('ann') }
const genesis = blockAfter(undefined, [coinbase('0', [ANN])])

describe(addRows, () => {
  it('numbers transactions through all blocks', () => {
    const one = blockAfter(genesis, [coinbase('1', [ANN]), payment([{ txid: Buffer.alloc(32, 1), vout: 2 }], [ANN])])
    const sink = new Collected()
    const end = addRows(sink, one, addRows(sink, genesis, emptyChainEnd(0), RULES), RULES)
    expect(sink.transactions.map(({ txId, height }) => [txId, height])).toEqual([
      [0, 0],
      [1, 1],
      [2, 1],
    ])
    expect(end).toMatchObject({ height: 1, hash: one.header.hash, nextTxId: 3 })
  })

  it('omits the output of the first coinbase, which cannot be spent', () => {
    const sink = new Collected()
    addRows(sink, genesis, emptyChainEnd(0), RULES)
    expect(sink.outputs).toEqual([])
  })

  it('omits the output of a coinbase that is overwritten later', () => {
    const lost = coinbase('twice', [ANN])
    const overwrittenCoinbases = [{ height: 5, txid: lost.txid.toString('hex') }]
    const rules = rowRules(Buffer.alloc(16, 7), TRACK_ALL, { ...chainRules('btc', 'regtest'), overwrittenCoinbases })
    const outputsAt = (height: number) => {
      const sink = new Collected()
      addRows(sink, blockAfter(undefined, [lost]), emptyChainEnd(height), rules)
      return sink.outputs.length
    }
    expect([4, 5, 6].map(outputsAt)).toEqual([1, 0, 1])
  })

  it('gives a bare key and its hash to one owner', () => {
    const sink = new Collected()
    addRows(sink, blockAfter(genesis, [coinbase('1', [ANN, { value: 1n, script: script.key('ann') }])]), emptyChainEnd(1), RULES)
    const [hash, key] = sink.outputs as [OutputRow, OutputRow]
    expect(key.scriptKey).toEqual(hash.scriptKey)
    expect(key.ownerScript).toEqual(hash.output.script)
    expect(key.output.script).toEqual(script.key('ann'))
  })

  it('omits owners that are not tracked', () => {
    const sink = new Collected()
    const block = blockAfter(genesis, [coinbase('1', [ANN, { value: 1n, script: script.taproot('bob') }])])
    addRows(sink, block, emptyChainEnd(1), { ...RULES, tracking: { isTracked: (owner) => owner.equals(script.taproot('bob')) } })
    expect(sink.outputs.map(({ vout }) => vout)).toEqual([1])
    expect(sink.transactions).toHaveLength(1)
  })

  it('refuses a block that does not follow', () => {
    const end = addRows(new Collected(), genesis, emptyChainEnd(0), RULES)
    expect(() => addRows(new Collected(), genesis, end, RULES)).toThrow(ChainMoved)
  })
})

describe(chainworkBytes, () => {
  it.each([0n, 1n, 2n ** 255n])('keeps %i in 32 bytes', (work) => {
    expect(chainworkBytes(work)).toHaveLength(32)
    expect(chainworkOf(chainworkBytes(work))).toBe(work)
  })
})

class Collected implements RowSink {
  readonly transactions: TransactionRow[] = []
  readonly outputs: OutputRow[] = []
  readonly spends: SpendRow[] = []

  addBlock(): void {}

  addTransaction(row: TransactionRow): void {
    this.transactions.push(row)
  }

  addOutput(row: OutputRow): void {
    this.outputs.push(row)
  }

  addSpend(row: SpendRow): void {
    this.spends.push(row)
  }
}
