import { addressOf } from '../src/address.js'
import { checkBlock, parseBlock } from '../src/block.js'
import { chainRules } from '../src/chain-rules.js'
import { MalformedData } from '../src/malformed.js'
import { typeOf } from '../src/script.js'
import { parseTransaction } from '../src/transaction.js'
import { bytes, vectors } from './vectors.js'

interface Vectors {
  blocks: [height: number, hex: string][]
  transactions: [txid: string, place: 'block' | 'mempool', hex: string][]
}

const { blocks, transactions } = vectors<Vectors>('litecoin-mweb')
const rules = chainRules('ltc', 'testnet')
const pure = transactions.filter(([, , hex]) => hex.startsWith('02000000000800'))
const bridging = transactions.filter((each) => !pure.includes(each))

describe('blocks with an extension block (LIP 3)', () => {
  it.each(blocks)('reads and believes %i', (_, hex) => {
    const block = parseBlock(bytes(hex), 'ltc')
    expect(() => checkBlock(block, rules)).not.toThrow()
    expect(block.raw.toString('hex')).toBe(hex)
  })

  it('knows the first HogEx, what went in, and the size without the extension', () => {
    const block = parseBlock(bytes(blocks.find(([height]) => height === 2_215_584)![1]), 'ltc')
    const types = block.transactions.flatMap(({ outputs }) => outputs.map(({ script }) => typeOf(script, 'ltc')))
    expect(types).toContain('witness_mweb_pegin')
    const hogEx = block.transactions.at(-1)!
    expect(typeOf(hogEx.outputs[0]!.script, 'ltc')).toBe('witness_mweb_hogaddr')
    expect(addressOf(hogEx.outputs[0]!.script, rules)).toBeUndefined()
    // Parsed again it is the same transaction: the mark is gone.
    expect(parseTransaction(hogEx.raw, 'btc').txid).toEqual(hogEx.txid)
  })

  it('refuses the extension where no HogEx announces it', () => {
    const [, hex] = blocks.find(([height]) => height === 1_821_752)!
    expect(() => parseBlock(bytes(`${hex}01`), 'ltc')).toThrow(MalformedData)
  })

  it('refuses a transaction that brings its own MWEB part into a block', () => {
    const header = bytes(blocks[0]![1]).subarray(0, 80)
    const [, , hex] = bridging.find(([, place]) => place === 'mempool')!
    const raw = Buffer.concat([header, Buffer.of(1), bytes(hex)])
    expect(() => parseBlock(raw, 'ltc')).toThrow(new MalformedData('The MWEB part of the transaction is not valid.'))
  })

  it('is no block of Bitcoin', () => {
    const [, hex] = blocks.find(([height]) => height === 2_215_584)!
    expect(() => parseBlock(bytes(hex), 'btc')).toThrow(MalformedData)
  })
})

describe('transactions with an MWEB part', () => {
  it.each(bridging)('%s in a %s', (txid, _, hex) => {
    const transaction = parseTransaction(bytes(hex), 'ltc')
    expect(transaction.txid.toString('hex')).toBe(txid)
    expect(parseTransaction(transaction.raw, 'btc')).toEqual(transaction)
  })

  it('is the same in the mempool and in its block', () => {
    const [first, second] = bridging.filter(([txid]) => txid.startsWith('8b83')).map(([, , hex]) => parseTransaction(bytes(hex), 'ltc'))
    expect(first).toEqual(second)
  })

  it.each(pure)('refuses %s, which never leaves the extension', (_, __, hex) => {
    expect(() => parseTransaction(bytes(hex), 'ltc')).toThrow(new MalformedData('The transaction has no inputs.'))
  })
})
