import fc from 'fast-check'
import { formatBytes, formatCoins, formatCount, sumOf } from './amount.js'

describe(formatCoins, () => {
  it.each([
    ['1500000000', 8, undefined, '15'],
    ['1', 8, undefined, '0.00000001'],
    ['0', 8, undefined, '0'],
    ['-1', 8, undefined, '-0.00000001'],
    ['123456789012345678', 8, undefined, '1,234,567,890.12345678'],
    ['1999999999999999999', 18, 4, '1.9999'],
    ['999', 18, 4, '0'],
    ['-150000000', 8, 1, '-1.5'],
  ] as const)('writes %s with %i decimals, %s shown, as %s', (amount, decimals, shown, expected) => {
    expect(formatCoins(amount, decimals, shown)).toBe(expected)
  })

  it('never rounds: what is shown is at most the amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.integer({ min: 1, max: 18 }),
        fc.integer({ min: 0, max: 18 }),
        (amount, decimals, shown) => {
          const [whole = '', fraction = ''] = formatCoins(amount, decimals, shown).replaceAll(',', '').split('.')
          const back = BigInt(whole + fraction.padEnd(decimals, '0'))
          expect(back).toBeLessThanOrEqual(amount)
          expect(amount - back).toBeLessThan(10n ** BigInt(Math.max(decimals - shown, 0)))
        },
      ),
    )
  })
})

describe(formatCount, () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567, '1,234,567'],
  ])('writes %i as %s', (value, expected) => {
    expect(formatCount(value)).toBe(expected)
  })
})

describe(formatBytes, () => {
  it.each([
    [0, '0 B'],
    [0.5, '0.5 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1550, '1.6 kB'],
    [1_000_000, '1 MB'],
    [2_500_000_000, '2.5 GB'],
    [1e12, '1 TB'],
    [1e15, '1,000 TB'],
  ])('writes %d as %s', (value, expected) => {
    expect(formatBytes(value)).toBe(expected)
  })
})

describe(sumOf, () => {
  it('adds amounts beyond what a number holds exactly', () => {
    expect(sumOf(['9007199254740993', 1n, '-4'])).toBe(9007199254740990n)
    expect(sumOf([])).toBe(0n)
  })
})
