import fc from 'fast-check'
import { hourOf, UsageBook } from './usage-book.js'

const HOUR = 3_600_000
const sums = fc.record({ calls: fc.nat(9), errors: fc.nat(9), bytesOut: fc.nat(9) })
const entries = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(0, HOUR), fc.constantFrom('x', 'y'), sums))

describe(UsageBook, () => {
  it('loses nothing and invents nothing, in whichever pieces it is taken out', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 3 }), (all, limit) => {
        const book = new UsageBook()
        for (const [holding, hour, method, each] of all) expect(book.add(holding, hour, [{ method, ...each }])).toBe(0)
        const taken = []
        while (book.size > 0) taken.push(...book.take(limit))
        for (const name of ['calls', 'errors', 'bytesOut'] as const) {
          const sumOf = (rows: readonly Record<typeof name, number>[]) => rows.reduce((sum, row) => sum + row[name], 0)
          expect(sumOf(taken)).toBe(sumOf(all.map(([, , , each]) => each)))
        }
        expect(new Set(taken.map(({ holding, hour, method }) => `${holding} ${hour} ${method}`)).size).toBe(taken.length)
      }),
    )
  })

  it('tells how many calls it has no room for', () => {
    const book = new UsageBook(1)
    const one = { method: 'x', calls: 3, errors: 0, bytesOut: 0 }
    expect([book.add('a', 0, [one]), book.add('b', 0, [one]), book.add('a', 0, [one])]).toEqual([0, 3, 0])
  })
})

describe(hourOf, () => {
  it('is the beginning of the hour in UTC', () => {
    expect(new Date(hourOf(Date.parse('2026-11-21T12:34:56.789Z'))).toISOString()).toBe('2026-11-21T12:00:00.000Z')
  })
})
