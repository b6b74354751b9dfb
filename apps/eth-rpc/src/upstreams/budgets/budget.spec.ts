import fc from 'fast-check'
import { Budget } from './budget.js'
import { BudgetBook } from './budget-book.js'
import { monthAfter, monthOf } from './month.js'

const NOVEMBER = Date.UTC(2026, 10)
const NOON = Date.UTC(2026, 10, 24, 12)
const DECEMBER = Date.UTC(2026, 11)
const UPSTREAM = { name: 'hosted', url: 'http://127.0.0.1:1/', archive: false, priority: 0 }

describe(monthOf, () => {
  it('is of UTC, also at the ends of years', () => {
    expect([monthOf(NOON), monthAfter(NOVEMBER), monthAfter(DECEMBER)]).toEqual([NOVEMBER, DECEMBER, Date.UTC(2027, 0)])
    expect(monthOf(DECEMBER - 1)).toBe(NOVEMBER)
    expect(monthOf(DECEMBER)).toBe(DECEMBER)
  })
})

describe(Budget, () => {
  it('is spent with the unit that reaches it, until the month ends', () => {
    const budget = new Budget('b', 'me', 3, NOON)
    budget.count(2, NOON)
    expect(budget.isSpent).toBe(false)
    budget.count(1, NOON)
    expect([budget.isSpent, budget.used, budget.monthEnd]).toEqual([true, 3, DECEMBER])
    budget.moveTo(DECEMBER - 1)
    expect(budget.isSpent).toBe(true)
    budget.moveTo(DECEMBER)
    expect([budget.isSpent, budget.used]).toEqual([false, 0])
  })

  it('knows what it was asked when the clock is set back into a month', () => {
    const budget = new Budget('b', 'me', 3, NOON)
    budget.count(3, NOON)
    budget.count(1, DECEMBER + 1)
    budget.moveTo(NOON)
    expect([budget.isSpent, budget.used]).toEqual([true, 3])
    budget.moveTo(DECEMBER + 2)
    expect([budget.isSpent, budget.used]).toEqual([false, 1])
  })

  it('counts what others were asked, and keeps that where what knew it is lost', () => {
    const budget = new Budget('b', 'me', 10, NOON)
    budget.count(1, NOON)
    budget.learnOthers(NOVEMBER, 7)
    // As after a backup was restored.
    budget.learnOthers(NOVEMBER, 2)
    expect([budget.used, budget.usedByOthers('me')]).toEqual([8, 7])
    budget.learnOthers(NOVEMBER, 9)
    expect(budget.isSpent).toBe(true)
  })

  it('counts another process once, however often that reports', () => {
    const budget = new Budget('b', 'me', 100, NOON)
    for (const units of [5, 7, 6, 7]) budget.raise(NOVEMBER, 'primary', units)
    expect([budget.used, budget.usedByOthers('primary')]).toEqual([7, 0])
  })

  it('keeps three months, and no more', () => {
    const budget = new Budget('b', 'me', 100, NOON)
    for (let month = 0; month < 12; month++) budget.count(1, Date.UTC(2027, month))
    expect(budget.counted('me').map(({ month }) => new Date(month).getUTCMonth())).toEqual([9, 10, 11])
  })

  it('never comes to less than was asked, whatever the clock does', () => {
    const step = fc.record({ month: fc.integer({ min: 9, max: 11 }), units: fc.integer({ min: 1, max: 5 }) })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const budget = new Budget('b', 'me', 1_000_000, NOON)
        for (const { month, units } of steps) budget.count(units, Date.UTC(2026, month, 5))
        for (const month of [9, 10, 11]) {
          budget.moveTo(Date.UTC(2026, month, 7))
          expect(budget.used).toBe(steps.filter((each) => each.month === month).reduce((sum, { units }) => sum + units, 0))
        }
      }),
    )
  })
})

describe(BudgetBook, () => {
  it('has one budget for all upstreams that name it, and asks again when it is raised', () => {
    const book = new BudgetBook('me')
    book.configure(
      [UPSTREAM, { ...UPSTREAM, name: 'other' }].map((each) => ({ ...each, budget: { name: 'b', perMonth: 2 } })),
      NOON,
    )
    book.get('b')?.count(2, NOON)
    expect(book.all.map(({ name, isSpent }) => [name, isSpent])).toEqual([['b', true]])
    book.configure([{ ...UPSTREAM, budget: { name: 'b', perMonth: 3 } }], NOON)
    expect(book.get('b')).toMatchObject({ isSpent: false, used: 2, perMonth: 3 })
  })

  it('remembers a budget whose upstreams are away for a while', () => {
    const book = new BudgetBook('me')
    const configs = [{ ...UPSTREAM, budget: { name: 'b', perMonth: 2 } }]
    book.configure(configs, NOON)
    book.get('b')?.count(2, NOON)
    book.configure([UPSTREAM], NOON)
    expect([book.all, book.spentBy('me')]).toEqual([[], [{ budget: 'b', month: NOVEMBER, units: 2 }]])
    book.configure(configs, NOON)
    expect(book.get('b')?.isSpent).toBe(true)
  })
})
