import fc from 'fast-check'
import { ApiBudget } from './api-budget.engine.js'

const MINUTE_MS = 60_000

function spent(budget: ApiBudget, times: number, now: number, spender = 'ada'): number {
  let count = 0
  for (let time = 0; time < times; time++) {
    try {
      budget.spend('creation', spender, now)
      count++
    } catch (error) {
      expect(error).toMatchObject({ code: 'TooManyRequests' })
    }
  }
  return count
}

describe(ApiBudget, () => {
  it('allows its number at once, and as many again evenly over a minute', () => {
    const budget = new ApiBudget(1)
    expect(spent(budget, 500, 0)).toBe(120)
    expect(spent(budget, 500, MINUTE_MS / 2)).toBe(60)
    expect(spent(budget, 500, 10 * MINUTE_MS)).toBe(120)
  })

  it('never allows more than its number and what became free since', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5000), { minLength: 1, maxLength: 400 }), (gaps) => {
        const budget = new ApiBudget(0.1)
        let [now, count] = [0, 0]
        for (const gap of gaps) {
          now += gap
          count += spent(budget, 1, now)
          expect(count).toBeLessThanOrEqual(12 + (now * 12) / MINUTE_MS + 0.5)
        }
      }),
    )
  })

  it('counts users and classes apart', () => {
    const budget = new ApiBudget(1)
    expect(spent(budget, 200, 0)).toBe(120)
    expect(spent(budget, 200, 0, 'bob')).toBe(120)
    expect(() => budget.spend('write', 'ada', 0)).not.toThrow()
  })

  it('says when to come back', () => {
    const budget = new ApiBudget(1 / 120)
    budget.spend('creation', 'ada', 0)
    expect(() => budget.spend('creation', 'ada', 15_000)).toThrow(
      expect.objectContaining({ status: 429, code: 'TooManyRequests', headers: { 'retry-after': '45' } }),
    )
  })

  it('limits nothing with an infinite factor', () => {
    expect(spent(new ApiBudget(Number.POSITIVE_INFINITY), 1000, 0)).toBe(1000)
  })

  it('forgets who spent nothing for a minute', () => {
    const budget = new ApiBudget(1)
    for (let user = 0; user < 5000; user++) spent(budget, 1, user * 100, `user ${user}`)
    expect(budget.size).toBeLessThan(2048)
  })
})
