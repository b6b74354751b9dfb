import fc from 'fast-check'
import { BUDGETS, type BudgetName, budgetOf, overBudget } from './budgets.js'
import type { Attempts } from './throttle.js'

const START = new Date('2026-01-01T00:00:00Z')
const DAY_MS = 24 * 3600_000
const NAMES = Object.keys(BUDGETS) as BudgetName[]

describe.each(NAMES)('the budget %s', (name) => {
  const { times, periodMs } = BUDGETS[name]

  it('allows at most its number at once, and that number more in each period', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: periodMs }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 5 }),
        (gaps, periods) => {
          const end = START.getTime() + periods * periodMs
          expect(spent(name, gaps, end)).toBeLessThanOrEqual(times * (1 + periods))
        },
      ),
    )
    expect(spent(name, Array(times * 3).fill(0), START.getTime())).toBe(times)
  })

  it('is full again before its row is deleted', () => {
    expect(periodMs).toBeLessThanOrEqual(DAY_MS)
  })
})

describe(budgetOf, () => {
  it('multiplies what senders may do, and not what a recipient gets', () => {
    const full = (name: BudgetName, factor: number, failures: number) =>
      budgetOf(name, 'x', factor).rule.wait({ failures, lastFailedAt: START }, START) > 0
    expect([full('signUpsFromNetwork', 5, 99), full('signUpsFromNetwork', 5, 100)]).toEqual([false, true])
    expect([full('invitationsToAddress', 5, 4), full('invitationsToAddress', 5, 5)]).toEqual([false, true])
  })

  it('counts each budget and each spender apart', () => {
    const keys = NAMES.flatMap((name) => ['a', 'b'].map((spender) => budgetOf(name, spender, 1).key))
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe(overBudget, () => {
  it('says in whole seconds when to come back', () => {
    expect(overBudget(179_001)).toMatchObject({ status: 429, code: 'TooManyRequests', headers: { 'retry-after': '180' } })
  })
})

/** How many of the requests that come after these gaps, until a time, are allowed. */
function spent(name: BudgetName, gaps: readonly number[], endMs: number): number {
  const { rule } = budgetOf(name, 'x', 1)
  let state: Attempts = { failures: 0, lastFailedAt: START }
  let [ms, count] = [START.getTime(), 0]
  for (const gap of gaps) {
    ms += gap
    const now = new Date(ms)
    if (ms > endMs || rule.wait(state, now) > 0) continue
    state = rule.failed(state, now)
    count += 1
  }
  return count
}
