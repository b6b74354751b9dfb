import { type Block, checkBlock, hashOfHeader, parseBlock, parseHeader, subsidyAt } from '../src/block.js'
import { type ChainRules, chainRules } from '../src/chain-rules.js'
import { MalformedData } from '../src/malformed.js'
import { isUnspendable } from '../src/script.js'
import { bytes, vectors } from './vectors.js'

type BlockFilters = [height: number, hash: string, block: string, previousScripts: string[]][]

interface BlockStats {
  blocks: string[]
  stats: {
    height: number
    blockhash: string
    ins: number
    outs: number
    subsidy: number
    total_out: number
    total_size: number
    txs: number
    swtxs: number
    totalfee: number
  }[]
}

describe('blocks of the test network', () => {
  it.each(vectors<BlockFilters>('core-blockfilters'))('%i is %s', (_, hash, hex, previousScripts) => {
    const block = checked(hex, chainRules('btc', 'testnet'))
    expect(block.header.hash.toString('hex')).toBe(hash)
    const spends = block.transactions.slice(1).flatMap(({ inputs }) => inputs)
    expect(spends).toHaveLength(previousScripts.length)
  })
})

describe('blocks of the main network', () => {
  it.each(vectors<[string, string][]>('bitcoin-blocks'))('reads and believes %s', (hash, hex) => {
    expect(checked(hex, chainRules('btc', 'mainnet')).header.hash.toString('hex')).toBe(hash)
  })
})

describe('the chain of Core, with what Core says of each block', () => {
  const { blocks, stats } = vectors<BlockStats>('core-getblockstats')
  const rules = chainRules('btc', 'regtest')
  const chain = blocks.map((hex) => checked(hex, rules))
  const byHash = new Map(chain.map((block) => [block.header.hash.toString('hex'), block]))

  it('begins at the genesis block and holds together', () => {
    expect(chain[0]?.header.hash.toString('hex')).toBe(rules.genesisHash)
    for (const [index, block] of chain.slice(1).entries()) expect(block.header.previousHash).toEqual(chain[index]?.header.hash)
  })

  it.each(stats.filter(({ height }) => height > 0))('counts block $height as Core does', (expected) => {
    const { transactions } = byHash.get(expected.blockhash)!
    const [coinbase, ...others] = transactions
    const spendsAndPays = others.flatMap(({ outputs }) => outputs)
    expect({
      txs: transactions.length,
      ins: others.flatMap(({ inputs }) => inputs).length,
      outs: transactions.flatMap(({ outputs }) => outputs).length,
      total_size: others.reduce((sum, { raw }) => sum + raw.length, 0),
      total_out: Number(spendsAndPays.reduce((sum, { value }) => sum + value, 0n)),
      subsidy: Number(subsidyAt(expected.height, rules)),
    }).toEqual({
      txs: expected.txs,
      ins: expected.ins,
      outs: expected.outs,
      total_size: expected.total_size,
      total_out: expected.total_out,
      subsidy: expected.subsidy,
    })
    const paid = coinbase!.outputs.reduce((sum, { value }) => sum + value, 0n)
    expect(Number(paid)).toBe(expected.subsidy + expected.totalfee)
    expect(coinbase!.outputs.filter(({ script }) => isUnspendable(script))).toHaveLength(1)
  })
})

describe('the witnesses of a block (BIP 141)', () => {
  const { blocks } = vectors<BlockStats>('core-getblockstats')
  const rules = chainRules('btc', 'regtest')
  const hex = blocks.findLast((each) =>
    parseBlock(bytes(each), 'btc')
      .transactions.slice(1)
      .some(({ raw }) => raw[4] === 0),
  )

  it('are refused when a bit of them is another', () => {
    const { raw, transactions } = parseBlock(bytes(hex!), 'btc')
    const signed = transactions.slice(1).find((each) => each.raw[4] === 0)!
    const changed = Buffer.from(raw)
    // The last byte before the lock time is the last of the witness.
    changed[changed.indexOf(signed.raw) + signed.raw.length - 5]! ^= 1
    const refusal = new MalformedData('The witnesses are not those of the coinbase.')
    expect(() => checkBlock(parseBlock(changed, 'btc'), rules)).toThrow(refusal)
  })

  it('are refused where the coinbase commits to none', () => {
    const block = parseBlock(bytes(hex!), 'btc')
    const [coinbase, ...others] = block.transactions
    const silent = { ...coinbase!, outputs: coinbase!.outputs.slice(0, 1) }
    expect(() => checkBlock({ ...block, transactions: [silent, ...others] }, rules)).toThrow(
      new MalformedData('The witnesses are not those of the coinbase.'),
    )
  })
})

function checked(hex: string, rules: ChainRules): Block {
  const block = parseBlock(bytes(hex), rules.coin)
  checkBlock(block, rules)
  expect({ ...parseHeader(block.header.raw), hash: hashOfHeader(block.header.raw, rules.coin) }).toEqual(block.header)
  return block
}
