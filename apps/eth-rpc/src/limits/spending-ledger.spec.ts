import fc from 'fast-check'
import { extremes, simulate } from '../../test/limits/simulation.js'
import { SpendingLedger, type SpendingReport } from './spending-ledger.js'

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
    expect(ledger.takeUnreported(NOON).spent).toEqual([
      [1, 30],
      [2, 7],
    ])
    expect(ledger.takeUnreported(NOON)).toEqual({ spent: [], refused: [] })
  })

  it('reports what it refused, and no more than a caller could have had, however often it asks', () => {
    const ledger = new SpendingLedger()
    expect(taken(ledger, 1_000, NOON)).toBe(5)
    for (let ms = 1; ms <= 1_000; ms++) ledger.take(1, LIMITS, 1_000, NOON + ms)
    const { spent, refused } = ledger.takeUnreported(NOON + 1_000)
    expect(refused).toEqual([[1, Math.max(0, 100 - (spent[0]?.[1] ?? 0))]].filter(([, units]) => units))
  })

  it('keeps what is hardly worth a report for the next one that has everything', () => {
    const ledger = new SpendingLedger()
    ledger.take(1, LIMITS, 1, NOON)
    expect(ledger.takeUnreported(NOON, false).spent).toEqual([])
    ledger.take(1, LIMITS, 1, NOON)
    expect(ledger.takeUnreported(NOON, false).spent).toEqual([[1, 2]])
    ledger.take(1, LIMITS, 1, NOON)
    expect(ledger.takeUnreported(NOON).spent).toEqual([[1, 1]])
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
    ledger.debitOthers({ spent: [[1, 980]], refused: [] }, NOON)
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
        const { max } = extremes(simulate({ ...given, traffic, seconds: 30 }).admitted, 10)
        expect(max).toBeLessThanOrEqual(given.perSecond * 10 * 1.1 + given.processes * given.cost)
      }),
      { numRuns: 25 },
    )
  })

  it('admit at least nine tenths of the limit under constant demand', () => {
    fc.assert(
      fc.property(setting, (given) => {
        const { min } = extremes(simulate({ ...given, traffic: 'storm', seconds: 20 }).admitted, 10, 10)
        expect(min).toBeGreaterThanOrEqual(given.perSecond * 10 * 0.9)
      }),
      { numRuns: 10 },
    )
  })
})

describe.each([1, 10, 100])('%i processes that are asked for 1.5 times the limit', (processes) => {
  const setting = fc.record({ delayMs: fc.integer({ min: 0, max: 40 }), seed: fc.integer(), cost: fc.integer({ min: 10, max: 26 }) })

  it.each(['even', 'skewed', 'moving'] as const)('admit 97 to 103 %% of it in any ten seconds where the load is %s', (traffic) => {
    fc.assert(
      fc.property(setting, (given) => {
        const { admitted } = simulate({ ...given, processes, perSecond: 20_000, traffic, seconds: 15 })
        // At first they may also spend half a second's worth at once.
        const { min, max } = extremes(admitted, 10, 4)
        expect(min).toBeGreaterThanOrEqual(200_000 * 0.97)
        expect(max).toBeLessThanOrEqual(200_000 * 1.03)
        expect(extremes(admitted, 10).max).toBeLessThanOrEqual(200_000 * 1.08)
      }),
      { numRuns: processes === 100 ? 1 : 5 },
    )
  })

  it('admit little more than what was saved and a second of the limit when the load returns everywhere at once', () => {
    const { admitted } = simulate({ processes, perSecond: 20_000, cost: 10, delayMs: 40, seed: 1, traffic: 'waves', seconds: 12 })
    // Half a second's worth was saved; the rest is what the first reports come too late for.
    expect(extremes(admitted, 1).max).toBeLessThanOrEqual(20_000 * 1.5 * 1.25)
    expect(extremes(admitted, 10).max).toBeLessThanOrEqual(200_000 * 1.05)
  })
})

describe('a process that lies', () => {
  const units = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
  const lies = fc.record({ spent: fc.array(fc.tuple(fc.constant(1), units)), refused: fc.array(fc.tuple(fc.constant(1), units)) })

  it('cannot make the others admit more than the limit, whatever it reports', () => {
    fc.assert(
      fc.property(fc.array(lies, { minLength: 1, maxLength: 5 }), fc.integer({ min: 2, max: 10 }), fc.integer(), (all, processes, seed) => {
        const lie = (random: () => number): SpendingReport => all[Math.floor(random() * all.length * 20)] ?? { spent: [], refused: [] }
        const { admitted } = simulate({ processes, perSecond: 5_000, cost: 10, delayMs: 20, seed, traffic: 'even', seconds: 11, lie })
        expect(extremes(admitted, 10).max).toBeLessThanOrEqual(50_000 * 1.08)
      }),
      { numRuns: 10 },
    )
  })

  it('blocks a project for seconds, and no longer than it lies', () => {
    const ledger = new SpendingLedger()
    const limits = { ...LIMITS, perDay: Number.POSITIVE_INFINITY }
    ledger.share(2, true)
    ledger.take(1, limits, 1, NOON)
    ledger.debitOthers({ spent: [[1, Number.MAX_SAFE_INTEGER]], refused: [[1, Number.MAX_SAFE_INTEGER]] }, NOON)
    const refusals = Array.from({ length: 3_000 }, (_, step) => ledger.take(1, limits, 1, NOON + step * 10))
    expect(refusals.slice(0, 100).filter((refusal) => !refusal).length).toBeLessThan(50)
    expect(refusals.slice(-100).filter((refusal) => !refusal).length).toBeGreaterThan(50)
  })
})

function taken(ledger: SpendingLedger, calls: number, now: number): number {
  return Array.from({ length: calls }, () => ledger.take(1, LIMITS, 10, now)).filter((refusal) => !refusal).length
}
