import { hourOf, UsageBook } from './usage-book.js'

const HOUR = Date.UTC(2026, 10, 21, 12)
const ONE = { calls: 1, errors: 0, computeUnits: 10, bytesOut: 100, cacheHits: 1 }

describe(UsageBook, () => {
  it('keeps one row for a project, hour and method, however often it is used', () => {
    const book = new UsageBook()
    for (let i = 0; i < 3; i++) book.add(1, HOUR, [{ method: 'eth_call', ...ONE }])
    book.add(1, HOUR + 3_600_000, [{ method: 'eth_call', ...ONE }])
    book.add(2, HOUR, [{ method: 'eth_call', ...ONE }])
    expect(book.take(10)).toEqual([
      { serial: 1, hour: HOUR, method: 'eth_call', calls: 3, errors: 0, computeUnits: 30, bytesOut: 300, cacheHits: 3 },
      { serial: 1, hour: HOUR + 3_600_000, method: 'eth_call', ...ONE },
      { serial: 2, hour: HOUR, method: 'eth_call', ...ONE },
    ])
    expect(book.size).toBe(0)
  })

  it('gives no more rows at once than asked for', () => {
    const book = new UsageBook()
    for (let serial = 1; serial <= 5; serial++) book.add(serial, HOUR, [{ method: 'eth_call', ...ONE }])
    expect([book.take(3).length, book.take(3).length, book.take(3).length]).toEqual([3, 2, 0])
  })

  it('goes on adding up when it is full, and says how many calls found no place', () => {
    const book = new UsageBook(1)
    expect(book.add(1, HOUR, [{ method: 'eth_call', ...ONE }])).toBe(0)
    expect(book.add(1, HOUR, [{ method: 'eth_call', ...ONE, calls: 4 }])).toBe(0)
    expect(book.add(2, HOUR, [{ method: 'eth_call', ...ONE, calls: 7 }])).toBe(7)
    expect(book.take(10)).toMatchObject([{ serial: 1, calls: 5 }])
  })
})

describe(hourOf, () => {
  it('is the hour in UTC', () => {
    expect(new Date(hourOf(Date.parse('2026-11-21T12:59:59.999Z'))).toISOString()).toBe('2026-11-21T12:00:00.000Z')
  })
})
