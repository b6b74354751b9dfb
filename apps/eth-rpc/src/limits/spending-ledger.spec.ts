import fc from 'fast-check'
import { admitted, type Setting } from '../../test/limits/simulation.js'
import { SpendingLedger } from './spending-ledger.js'

const LIMITS = { perSecond: 100, perDay: 1000 }
const NOON = Date.UTC(2026, 10, 21, 12)

describe('one process', () => {
  it('admits half a second of calls at once, then as many as the limit allows', () => {
    const ledger = new SpendingLedger()
    expect(taken(ledger, 10, NOON)).toBe(5)
    expect(taken(ledger, 10, NOON + 1001)).toBe(5)
    expect(ledger.take(1, LIMITS, 10, NOON + 1001)).toEqual({
      kind: 'second',
      retryAfterMs: expect.any(Number),
      limit: 100,
      resetAt: expect.any(Number),
    })
  })

  it('reports what it admitted once', () => {
    const ledger = new SpendingLedger()
    taken(ledger, 3, NOON)
    ledger.take(2, LIMITS, 7, NOON)
    expect(ledger.takeUnreported()).toEqual([
      [1, 30],
      [2, 7],
    ])
    expect(ledger.takeUnreported()).toEqual([])
  })

  it('asks for an early report after a tenth of a second of its share', () => {
    const ledger = new SpendingLedger()
    ledger.take(1, LIMITS, 9, NOON)
    expect(ledger.isUrgent(1)).toBe(false)
    ledger.share(2, true)
    expect(ledger.isUrgent(1)).toBe(true)
  })
})

describe('the day', () => {
  it('refuses a project that has spent its day until the next day begins', () => {
    const ledger = new SpendingLedger()
    ledger.learnSpent(1, LIMITS, 990, NOON)
    expect(ledger.take(1, LIMITS, 10, NOON)).toBeUndefined()
    expect(ledger.take(1, LIMITS, 10, NOON)).toEqual({ kind: 'day', retryAfterMs: 43_200_000, limit: 1000, resetAt: NOON + 43_200_000 })
    expect(ledger.take(1, LIMITS, 10, NOON + 43_200_000)).toBeUndefined()
  })

  it('counts what other processes admitted and what is stored, nothing twice', () => {
    const ledger = new SpendingLedger()
    ledger.take(1, LIMITS, 10, NOON)
    ledger.debitOthers([[1, 980]], NOON)
    // Written down are the first 500 of those 990.
    ledger.learnSpent(1, LIMITS, 500, NOON)
    expect(ledger.take(1, LIMITS, 10, NOON + 60_000)).toBeUndefined()
    expect(ledger.take(1, LIMITS, 10, NOON + 60_000)).toMatchObject({ kind: 'day' })
  })
})

describe('processes that cannot reach each other', () => {
  it('share the rate', () => {
    const alone = new SpendingLedger()
    alone.share(4, false)
    let count = 0
    for (let now = NOON; now < NOON + 10_000; now += 10) if (!alone.take(1, LIMITS, 1, now)) count++
    expect(count).toBeGreaterThan(240)
    expect(count).toBeLessThan(275)
  })
})

describe('processes whose reports arrive late', () => {
  const setting = fc.record({
    processes: fc.integer({ min: 1, max: 8 }),
    perSecond: fc.integer({ min: 2_000, max: 20_000 }),
    cost: fc.integer({ min: 10, max: 40 }),
    delayMs: fc.integer({ min: 0, max: 40 }),
    seed: fc.integer(),
  })

  it('admit at most a tenth more than the limit in any ten seconds, whatever the traffic', () => {
    fc.assert(
      fc.property(setting, fc.constantFrom('random' as const, 'storm' as const), (given, traffic) => {
        const max = maxInTenSeconds(given, traffic)
        expect(max).toBeLessThanOrEqual(given.perSecond * 10 * 1.1 + given.processes * given.cost)
      }),
      { numRuns: 25 },
    )
  })

  it('admit at least nine tenths of the limit under constant demand', () => {
    fc.assert(
      fc.property(setting, (given) => {
        const all = admitted({ ...given, traffic: 'storm', seconds: 20 })
        const inTen = all.slice(-1000).reduce((sum, each) => sum + each, 0)
        expect(inTen).toBeGreaterThanOrEqual(given.perSecond * 10 * 0.9)
      }),
      { numRuns: 10 },
    )
  })
})

function taken(ledger: SpendingLedger, calls: number, now: number): number {
  return Array.from({ length: calls }, () => ledger.take(1, LIMITS, 10, now)).filter((refusal) => !refusal).length
}

function maxInTenSeconds(given: Omit<Setting, 'traffic' | 'seconds'>, traffic: Setting['traffic']): number {
  const all = admitted({ ...given, traffic, seconds: 30 })
  let sum = 0
  let max = 0
  for (const [i, each] of all.entries()) {
    sum += each - (all[i - 1000] ?? 0)
    max = Math.max(max, sum)
  }
  return max
}
