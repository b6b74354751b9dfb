import fc from 'fast-check'
import { UsageBook } from './usage-book.js'
import type { UsageTable } from './usage-sums.js'

const HOUR = 3_600_000
const TABLE = {
  columns: [
    ['calls', 'calls'],
    ['errors', 'errors'],
    ['bytesOut', 'bytes_out'],
  ],
  none: () => ({ calls: 0, errors: 0, bytesOut: 0, latency: [0, 0] }),
} satisfies Pick<UsageTable, 'columns' | 'none'>
const ONE = { method: 'eth_call', calls: 1, errors: 0, bytesOut: 100, latency: [0, 1] }
const sums = fc.record({ calls: fc.nat(9), errors: fc.nat(9), bytesOut: fc.nat(9), latency: fc.tuple(fc.nat(9), fc.nat(9)) })
const entries = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(0, HOUR), fc.constantFrom('x', 'y'), sums))

describe(UsageBook, () => {
  it('keeps one row for each target, hour and method', () => {
    const book = bookOf(10)
    for (let i = 0; i < 3; i++) book.add('a', HOUR, [ONE])
    book.add('a', 2 * HOUR, [ONE])
    book.add('b', HOUR, [ONE, { ...ONE, method: 'eth_chainId' }])
    expect(book.take(10)).toEqual([
      { of: 'a', hour: HOUR, method: 'eth_call', calls: 3, errors: 0, bytesOut: 300, latency: [0, 3] },
      { of: 'a', hour: 2 * HOUR, ...ONE },
      { of: 'b', hour: HOUR, ...ONE },
      { of: 'b', hour: HOUR, ...ONE, method: 'eth_chainId' },
    ])
    expect(book.size).toBe(0)
  })

  it('returns no more rows than requested', () => {
    const book = bookOf(10)
    for (const name of ['a', 'b', 'c', 'd', 'e']) book.add(name, HOUR, [ONE])
    expect([book.take(3).length, book.take(3).length, book.take(3).length]).toEqual([3, 2, 0])
  })

  it('keeps adding to its rows when it is full, and reports how many calls were lost', () => {
    const book = bookOf(1)
    expect(book.add('a', HOUR, [ONE])).toBe(0)
    expect(book.add('a', HOUR, [{ ...ONE, calls: 4 }])).toBe(0)
    expect(book.add('b', HOUR, [{ ...ONE, calls: 7 }])).toBe(7)
    expect(book.take(10)).toMatchObject([{ of: 'a', calls: 5 }])
  })

  it('neither loses nor invents calls, in whichever parts it is taken', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 3 }), (all, limit) => {
        const book = bookOf(100)
        for (const [of, hour, method, each] of all) expect(book.add(of, hour, [{ method, ...each, latency: [...each.latency] }])).toBe(0)
        const taken = []
        while (book.size > 0) taken.push(...book.take(limit))
        for (const name of ['calls', 'errors', 'bytesOut'] as const) {
          const sumOf = (rows: readonly Record<typeof name, number>[]) => rows.reduce((sum, row) => sum + row[name], 0)
          expect(sumOf(taken)).toBe(sumOf(all.map(([, , , each]) => each)))
        }
        const slow = (rows: readonly { latency: readonly number[] }[]) => rows.reduce((sum, { latency }) => sum + (latency[1] ?? 0), 0)
        expect(slow(taken)).toBe(slow(all.map(([, , , each]) => each)))
        expect(new Set(taken.map(({ of, hour, method }) => `${of} ${hour} ${method}`)).size).toBe(taken.length)
      }),
    )
  })
})

function bookOf(maxRows: number): UsageBook<string> {
  return new UsageBook(TABLE, maxRows)
}
