import fc from 'fast-check'
import { coinText, exactNumber, inCoins, inSatoshis } from './exact-number.js'

describe(inCoins, () => {
  it.each([
    [0n, '0'],
    [1n, '0.00000001'],
    [-1n, '-0.00000001'],
    [60_000n, '0.0006'],
    [100_000_000n, '1'],
    [1_000_000_000n, '10'],
    [1_250_000_000n, '12.5'],
    [-250_000_000n, '-2.5'],
    [2_100_000_000_000_001n, '21000000.00000001'],
    [123_456_789_012_345_678_901n, '1234567890123.45678901'],
  ])('writes %d satoshis as %s', (satoshis, text) => {
    expect(JSON.stringify({ value: inCoins(satoshis) })).toBe(`{"value":${text}}`)
  })

  it('is the number of satoshis in every case', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (satoshis) => {
        const text = JSON.stringify(inCoins(satoshis))
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,7}[1-9])?$/)
        const [whole = '', places = ''] = text.split('.')
        expect(BigInt(whole + places.padEnd(8, '0'))).toBe(satoshis)
      }),
    )
  })
})

describe(inSatoshis, () => {
  it.each([0n, -1n, 2n ** 53n + 1n, 10n ** 21n])('writes %d digit for digit', (satoshis) => {
    expect(JSON.stringify([inSatoshis(satoshis)])).toBe(`[${satoshis}]`)
  })
})

describe(coinText, () => {
  it.each([
    [0n, '0.00000000'],
    [21_247_964n, '0.21247964'],
    [5_000_000_000n, '50.00000000'],
  ])('writes %d with 8 digits after the point', (satoshis, text) => {
    expect(coinText(satoshis)).toBe(text)
  })
})

describe(exactNumber, () => {
  it('can be a whole JSON document', () => {
    expect(JSON.stringify(exactNumber('0.00000001'))).toBe('0.00000001')
  })
})
