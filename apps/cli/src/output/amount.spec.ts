import fc from 'fast-check'
import { bytesText, coinsAndSatoshis, decimal, etherAndWei } from './amount.js'

describe(decimal, () => {
  it.each([
    ['0', 18, '0'],
    ['1', 18, '0.000000000000000001'],
    ['32000000000000000000', 18, '32'],
    ['-1500000000000000000', 18, '-1.5'],
    ['-1', 8, '-0.00000001'],
  ])('of %s with %i places is %s', (amount, places, text) => {
    expect(decimal(amount, places)).toBe(text)
  })

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 1, max: 18 }), (amount, places) => {
        const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal(amount, places)) ?? []
        expect(BigInt(`${sign}${whole}${part.padEnd(places, '0')}`)).toBe(amount)
      }),
    )
  })
})

it('tells amounts in both units', () => {
  expect(etherAndWei('1500000000000000000')).toBe('1.5 ETH (1500000000000000000 wei)')
  expect(coinsAndSatoshis(2_100_000_000_000_000, 'ltc')).toBe('21000000 LTC (2100000000000000 satoshis)')
})

it.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [5 * 2 ** 40, '5.0 TiB'],
])('tells %i bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})
