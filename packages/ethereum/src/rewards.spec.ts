import fc from 'fast-check'
import {
  aprPercent,
  baseRewardGwei,
  baseRewardPerIncrementGwei,
  idealConsensusAprPercent,
  integerSquareRoot,
  nextEffectiveBalanceGwei,
} from './rewards.js'

const ETH = 1_000_000_000n

describe(integerSquareRoot, () => {
  it('is the largest number whose square fits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 130n }), (value) => {
        const root = integerSquareRoot(value)
        expect(root * root <= value && (root + 1n) ** 2n > value).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('is exact around squares', () => {
    for (const root of [0n, 1n, 2n, 3n, 2n ** 32n, 2n ** 64n - 1n]) {
      expect(integerSquareRoot(root * root)).toBe(root)
      expect(integerSquareRoot((root + 1n) ** 2n - 1n)).toBe(root)
    }
  })

  it('is none of a negative number', () => {
    expect(() => integerSquareRoot(-1n)).toThrow(RangeError)
  })
})

describe(baseRewardGwei, () => {
  it('is 347 gwei for each ETH where 34 million are staked', () => {
    expect(baseRewardPerIncrementGwei(34_000_000n * ETH)).toBe(347n)
    expect(baseRewardGwei(32n * ETH, 34_000_000n * ETH)).toBe(11_104n)
    expect(baseRewardGwei(2048n * ETH, 34_000_000n * ETH)).toBe(347n * 2048n)
  })

  it('is none where nothing is staked', () => {
    expect(() => baseRewardPerIncrementGwei(0n)).toThrow(RangeError)
  })
})

describe(nextEffectiveBalanceGwei, () => {
  it.each([
    ['stays at the top', 32n * ETH, 32n * ETH, 32n * ETH],
    ['stays while less than a quarter is lost', 31_750_000_000n, 32n * ETH, 32n * ETH],
    ['falls when more is lost', 31_749_999_999n, 32n * ETH, 31n * ETH],
    ['falls by all that is lost', 16_500_000_000n, 32n * ETH, 16n * ETH],
    ['stays while less than 1.25 is won', 32_250_000_000n, 31n * ETH, 31n * ETH],
    ['rises when more is won', 32_250_000_001n, 31n * ETH, 32n * ETH],
    ['rises no further than 32 ETH', 40n * ETH, 31n * ETH, 32n * ETH],
    ['falls to nothing', 0n, 1n * ETH, 0n],
  ])('%s', (_, balance, effective, next) => {
    expect(nextEffectiveBalanceGwei(balance, effective, 'execution')).toBe(next)
  })

  it('rises to 2048 ETH where it compounds', () => {
    expect(nextEffectiveBalanceGwei(40n * ETH, 32n * ETH, 'compounding')).toBe(40n * ETH)
    expect(nextEffectiveBalanceGwei(5000n * ETH, 32n * ETH, 'compounding')).toBe(2048n * ETH)
  })

  it('is whole ETH within 1.25 of the balance, and steady after one step', () => {
    const balance = fc.bigInt({ min: 0n, max: 2048n * ETH })
    fc.assert(
      fc.property(balance, fc.bigInt({ min: 0n, max: 2048n }), (balance, effective) => {
        const next = nextEffectiveBalanceGwei(balance, effective * ETH, 'compounding')
        expect(next % ETH).toBe(0n)
        expect(next - balance <= ETH / 4n && balance - next <= (5n * ETH) / 4n).toBe(true)
        expect(nextEffectiveBalanceGwei(balance, next, 'compounding')).toBe(next)
      }),
      { numRuns: 1000 },
    )
  })
})

describe(idealConsensusAprPercent, () => {
  it.each([
    [34_000_000n, /^2\.85/],
    [36_000_000n, /^2\.7(69|70)/],
    [38_000_000n, /^2\.69/],
  ])('where %s ETH are staked is what it is known to be', (staked, apr) => {
    expect(idealConsensusAprPercent(staked * ETH)).toMatch(apr)
  })

  it('is so much higher as epochs are shorter', () => {
    expect(Number(idealConsensusAprPercent(1024n * ETH, 8))).toBeCloseTo(48 * Number(idealConsensusAprPercent(1024n * ETH)), 0)
  })
})

describe(aprPercent, () => {
  const YEAR = 31_557_600n

  it.each([
    [5n * ETH, 100n * ETH * YEAR, '5.0000'],
    [-5n * ETH, 100n * ETH * YEAR, '-5.0000'],
    [1n, 100n * ETH * YEAR, '0.0000'],
    [-1n, 100n * ETH * YEAR, '0.0000'],
    [ETH, 32n * ETH * (YEAR / 2n), '6.2500'],
    [2n, 3n * YEAR, '66.6666'],
    [0n, 0n, '0.0000'],
  ])('of %s on %s is %s', (earned, stakeSeconds, percent) => {
    expect(aprPercent(earned, stakeSeconds)).toBe(percent)
  })

  it('does not depend on the unit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 18n }), (earned, stake) => {
        expect(aprPercent(earned * ETH, stake * ETH)).toBe(aprPercent(earned, stake))
      }),
    )
  })
})
