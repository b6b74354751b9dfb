import fc from 'fast-check'
import { type Attempts, leakyBucket, perAccount, perNetwork, type ThrottleRule, tooManyAttempts } from './throttle.js'

const START = new Date('2026-01-01T00:00:00Z')
const after = (ms: number) => new Date(START.getTime() + ms)
const failed = (failures: number): Attempts => ({ failures, lastFailedAt: START })

describe('per account', () => {
  it.each([
    [1, 0],
    [4, 0],
    [5, 1_000],
    [6, 2_000],
    [10, 32_000],
    [14, 512_000],
    [15, 900_000],
    [1_000_000, 900_000],
  ])('after %i failures waits %i ms', (failures, wait) => {
    expect(perAccount.wait(failed(failures), START)).toBe(wait)
    expect(perAccount.wait(failed(failures), after(wait))).toBe(0)
  })

  it('counts down while time passes', () => {
    expect(perAccount.wait(failed(10), after(12_000))).toBe(20_000)
  })

  it('resets after a day', () => {
    expect(perAccount.failed(failed(50), after(86_399_999)).failures).toBe(51)
    expect(perAccount.failed(failed(50), after(86_400_000)).failures).toBe(1)
  })

  it('resets once the right password was given', () => {
    expect(perAccount.wait(perAccount.succeeded(failed(50)), START)).toBe(0)
  })
})

describe('per network', () => {
  it('allows thirty failures at once and then one every two seconds', () => {
    expect(failuresLetThrough(perNetwork, 0, 0)).toBe(30)
    expect(failuresLetThrough(perNetwork, 120_290, 10)).toBe(30 + 60)
  })

  it('drains also while successful attempts are frequent', () => {
    let attempts = failed(29)
    for (let ms = 0; ms <= 60_000; ms += 100) attempts = perNetwork.succeeded(perNetwork.failed(attempts, after(ms)))
    expect(attempts.failures).toBe(0)
  })

  it('never stops a network that fails less often than every two seconds', () => {
    expect(failuresLetThrough(perNetwork, 3_600_000, 2_001)).toBe(Math.floor(3_600_000 / 2_001) + 1)
  })
})

describe(leakyBucket, () => {
  it('allows the given number and then waits until the first of them has drained', () => {
    const rule = leakyBucket(2, 60_000)
    expect(rule.wait(failed(1), START)).toBe(0)
    expect(rule.wait(failed(2), after(10_000))).toBe(20_000)
    expect(rule.wait(failed(2), after(30_000))).toBe(0)
  })
})

describe('every rule', () => {
  const rules: [string, ThrottleRule][] = [
    ['perAccount', perAccount],
    ['perNetwork', perNetwork],
    ['leakyBucket', leakyBucket(3, 60_000)],
  ]

  it.each(rules)('%s: once the wait is over the attempt is allowed', (_, rule) => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(1_000_000), (failures, ms) => {
        const wait = rule.wait(failed(failures), after(ms))
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(rule.wait(failed(failures), after(ms + wait))).toBe(0)
      }),
    )
  })

  it.each(rules)('%s: a clock that is set back prolongs no wait', (_, rule) => {
    expect(rule.wait(failed(30), after(-3_600_000))).toBe(rule.wait(failed(30), START))
  })
})

describe(tooManyAttempts, () => {
  it('says in whole seconds when to come back', () => {
    expect(tooManyAttempts(1_200)).toMatchObject({ status: 429, code: 'TooManyAttempts', headers: { 'retry-after': '2' } })
  })
})

/** How many attempts get through in a time when one is made every `stepMs` and all of them fail; with no step, all at once. */
function failuresLetThrough(rule: ThrottleRule, forMs: number, stepMs: number): number {
  let attempts = failed(0)
  let through = 0
  const count = stepMs === 0 ? 1000 : Math.floor(forMs / stepMs) + 1
  for (let attempt = 0; attempt < count; attempt++) {
    const now = after(attempt * stepMs)
    if (rule.wait(attempts, now) > 0) continue
    through++
    attempts = rule.failed(attempts, now)
  }
  return through
}
