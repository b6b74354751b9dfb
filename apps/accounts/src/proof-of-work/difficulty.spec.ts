import fc from 'fast-check'
import { isHardEnough, MAX_DIFFICULTY, MIN_DIFFICULTY, requiredDifficulty } from './difficulty.js'

const signUps = () => fc.nat(10_000_000)

describe(requiredDifficulty, () => {
  it('is a whole number within its bounds, however many sign up', () => {
    fc.assert(
      fc.property(signUps(), (count) => {
        const difficulty = requiredDifficulty(count)
        expect(Number.isInteger(difficulty)).toBe(true)
        expect(difficulty).toBeGreaterThanOrEqual(MIN_DIFFICULTY)
        expect(difficulty).toBeLessThanOrEqual(MAX_DIFFICULTY)
      }),
    )
  })

  it('never falls while more sign up, and doubles the work at most when twice as many do', () => {
    fc.assert(
      fc.property(signUps(), fc.nat(1000), (count, more) => {
        expect(requiredDifficulty(count + more)).toBeGreaterThanOrEqual(requiredDifficulty(count))
        expect(requiredDifficulty(2 * count)).toBeLessThanOrEqual(requiredDifficulty(count) + 1)
      }),
    )
  })

  it('is the least while it is calm, and the most in a flood', () => {
    expect([0, 1, 30, 59, 60, 120, 100_000].map(requiredDifficulty)).toEqual([17, 17, 17, 17, 18, 19, 22])
  })
})

describe(isHardEnough, () => {
  it('accepts a challenge that is issued now, and those of an increase by two', () => {
    fc.assert(
      fc.property(signUps(), (count) => {
        expect(isHardEnough(requiredDifficulty(count), count)).toBe(true)
        expect(isHardEnough(requiredDifficulty(count) - 2, count)).toBe(true)
        expect(isHardEnough(requiredDifficulty(count) - 3, count)).toBe(false)
      }),
    )
  })
})
