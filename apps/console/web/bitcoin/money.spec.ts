import fc from 'fast-check'
import { effectOn, estimatedRate, feeRate, formatChange, formatSatoshis, parseCoins } from './money.js'

const MOST = 2_100_000_000_000_000n

describe(parseCoins, () => {
  it.each([
    ['0.00010000', 10_000n],
    ['21000000', MOST],
    ['-0.00000001', -1n],
    ['-1.5', -150_000_000n],
  ])('reads %s', (text, expected) => {
    expect(parseCoins(text)).toBe(expected)
  })

  it.each(['', '1e-8', '0.123456789', '.5', 'NaN'])('refuses %j', (text) => {
    expect(() => parseCoins(text)).toThrow('is no amount of coins')
  })

  it('reads every number that JSON makes of an amount exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MOST, max: MOST }), (amount) => {
        const written = formatSatoshis(amount).replaceAll(',', '')
        expect(parseCoins(JSON.parse(written) as number)).toBe(amount)
      }),
    )
  })
})

describe(formatSatoshis, () => {
  it('says when the number may not have come exactly', () => {
    expect([formatSatoshis(2 ** 53), formatSatoshis(2 ** 53 - 1)]).toEqual(['≈ 90,071,992.54740992', '90,071,992.54740991'])
  })
})

describe(formatChange, () => {
  it.each([
    [1n, '+0.00000001'],
    [0n, '0'],
    [-150_000_000n, '-1.5'],
  ])('tells the sign of %s', (amount, expected) => {
    expect(formatChange(amount)).toBe(expected)
  })
})

describe(feeRate, () => {
  it('cuts after two decimals, and knows what it does not know', () => {
    expect([feeRate({ fees: 0.00002, size: 442 }), feeRate({ size: 442 }), feeRate({ fees: 0, size: 200 })]).toEqual([
      '4.52',
      undefined,
      '0',
    ])
  })
})

describe(estimatedRate, () => {
  it('is in satoshis a byte, and nothing where the node cannot tell', () => {
    expect([estimatedRate(0.0000538), estimatedRate(-1)]).toEqual([5.38, undefined])
  })
})

describe(effectOn, () => {
  it('counts what an address gains and what it spends', () => {
    const spending = { txid: 'a', vout: 0, sequence: 0, n: 0, doubleSpentTxID: null }
    const output = (value: string, addresses: string[]) => ({ value, n: 0, scriptPubKey: { hex: '', addresses, type: '' } })
    const vin = [
      { ...spending, addr: 'me', value: 0.3 },
      { ...spending, addr: 'you', value: 1 },
      { coinbase: '', sequence: 0, n: 1 },
    ]
    const vout = [output('0.10000001', ['me']), output('0.2', ['you']), output('0.3', ['me', 'you'])]
    expect(effectOn('me', { vin, vout })).toBe(-19_999_999n)
  })
})
