import fc from 'fast-check'
import { bytes, vectors } from '../test/vectors.js'
import { type Block, checkBlock, difficultyOf, parseBlock, subsidyAt, workOf } from './block.js'
import { chainRules } from './chain-rules.js'
import { MalformedData } from './malformed.js'

const mainnet = chainRules('btc', 'mainnet')

describe(checkBlock, () => {
  it('believes a block of the main network', () => {
    expect(() => checkBlock(block(), mainnet)).not.toThrow()
  })

  it('refuses transactions in another order', () => {
    const { transactions, ...rest } = block()
    const [coinbase, second, third, ...others] = transactions
    expect(() => checkBlock({ ...rest, transactions: [coinbase!, third!, second!, ...others] }, mainnet)).toThrow(
      new MalformedData('The transactions are not those of the header.'),
    )
  })

  it('refuses repeated transactions under the same root (CVE-2012-2459)', () => {
    const { transactions, ...rest } = block()
    // The first level with an odd number of hashes repeats the last of them.
    const repeated = transactions.length & -transactions.length
    expect(repeated).toBeLessThan(transactions.length)
    expect(() => checkBlock({ ...rest, transactions: [...transactions, ...transactions.slice(-repeated)] }, mainnet)).toThrow(
      new MalformedData('The block repeats transactions.'),
    )
  })

  it('refuses a block that does not begin with its coinbase', () => {
    const { transactions, ...rest } = block()
    const refusal = new MalformedData('The block does not begin with a coinbase.')
    expect(() => checkBlock({ ...rest, transactions: transactions.slice(1) }, mainnet)).toThrow(refusal)
    expect(() => checkBlock({ ...rest, transactions: [] }, mainnet)).toThrow(refusal)
  })

  it('refuses a hash above its target', () => {
    const changed = Buffer.from(block().raw)
    changed.writeUInt32LE(1, 76)
    expect(() => checkBlock(parseBlock(changed, 'btc'), mainnet)).toThrow(new MalformedData('The block hash does not reach its target.'))
  })

  it('leaves the work of Litecoin, which is scrypt, to the node', () => {
    const changed = Buffer.from(block().raw)
    changed.writeUInt32LE(1, 76)
    expect(() => checkBlock(parseBlock(changed, 'ltc'), chainRules('ltc', 'mainnet'))).not.toThrow()
  })

  it.each([0x207fffff, 0x1d010000, 0x1d80ffff, 0xff7fffff, 0])('refuses a target the chain does not allow: %i', (bits) => {
    const changed = Buffer.from(block().raw)
    changed.writeUInt32LE(bits, 72)
    expect(() => checkBlock(parseBlock(changed, 'btc'), mainnet)).toThrow(new MalformedData('The target is beyond the limit of the chain.'))
  })
})

describe(workOf, () => {
  it.each([
    [0x1d00ffff, 0x100010001n],
    [0x207fffff, 2n],
    [0x1e0ffff0, 0x100010n],
    [0x1e0377ae, 0x49d414n],
  ])('of %i is what the node adds to its chain', (bits, work) => {
    expect(workOf(bits)).toBe(work)
  })

  it('is none where the target is none', () => {
    for (const bits of [0, 0x1d80ffff, 0xff7fffff]) expect(workOf(bits)).toBe(0n)
  })

  it('is more where the difficulty is more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 29 }), fc.integer({ min: 0x8001, max: 0x7fffff }), (exponent, mantissa) => {
        expect(workOf(exponent * 2 ** 24 + mantissa - 1)).toBeGreaterThanOrEqual(workOf(exponent * 2 ** 24 + mantissa))
      }),
    )
  })
})

describe(difficultyOf, () => {
  it.each([
    [0x1d00ffff, '1'],
    [0x1b0404cb, '16307.42093852'],
    [0x1b04864c, '14484.16236122'],
    [0x18013ce9, '888171856257.32056354'],
    [0x1e0ffff0, '0.00024414'],
    [0x207fffff, '0'],
    [0, '0'],
    [0x1d80ffff, '0'],
  ])('of %i is %s', (bits, text) => {
    expect(difficultyOf(bits)).toBe(text)
  })

  it('is what Core computes with floating point, cut after 8 places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0x18, max: 0x1d }), fc.integer({ min: 0x8000, max: 0x7fffff }), (exponent, mantissa) => {
        const difficulty = (0xffff / mantissa) * 256 ** (29 - exponent)
        expect(Math.abs(Number(difficultyOf(exponent * 2 ** 24 + mantissa)) - difficulty)).toBeLessThanOrEqual(1e-8 + difficulty * 1e-12)
      }),
    )
  })
})

describe(subsidyAt, () => {
  it.each([
    ['btc', 'mainnet', 0, 5_000_000_000n],
    ['btc', 'mainnet', 209_999, 5_000_000_000n],
    ['btc', 'mainnet', 210_000, 2_500_000_000n],
    ['bch', 'mainnet', 840_000, 312_500_000n],
    ['ltc', 'mainnet', 839_999, 5_000_000_000n],
    ['ltc', 'mainnet', 2_520_000, 625_000_000n],
    ['ltc', 'regtest', 433, 1_250_000_000n],
    ['btc', 'regtest', 150, 2_500_000_000n],
    ['btc', 'mainnet', 6_929_999, 1n],
    ['btc', 'mainnet', 6_930_000, 0n],
    ['btc', 'mainnet', 13_440_000, 0n],
    ['doge', 'mainnet', 145_000, 25_000_000_000_000n],
    ['doge', 'mainnet', 599_999, 1_562_500_000_000n],
    ['doge', 'mainnet', 600_000, 1_000_000_000_000n],
    ['dash', 'mainnet', 210_239, 500_000_000n],
    ['dash', 'mainnet', 210_240, 464_285_715n],
  ] as const)('of %s %s at %i is %i', (coin, network, height, subsidy) => {
    expect(subsidyAt(height, chainRules(coin, network))).toBe(subsidy)
  })

  it('comes to 20,999,999.9769 bitcoins', () => {
    let all = 0n
    for (let height = 0; height < 7_000_000; height += 210_000) all += 210_000n * subsidyAt(height, mainnet)
    expect(all).toBe(2_099_999_997_690_000n)
  })
})

function block(): Block {
  const [[, hex]] = vectors<[string, string][]>('bitcoin-blocks').slice(1) as [[string, string]]
  return parseBlock(bytes(hex), 'btc')
}
