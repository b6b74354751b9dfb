import { idRange, transactionRange } from './range.js'

const invalid = (detail: string) => expect.objectContaining({ code: 'InvalidRange', status: 400, detail })

describe(idRange, () => {
  it.each([{}, { from: 5 }, { to: 5 }, { from: 0 }])('is the newest thousand unless both ends are given: %j', (asked) => {
    expect(idRange(asked)).toEqual({ from: 0, to: 1000 })
  })

  it('accepts both ends', () => {
    expect(idRange({ from: 0, to: 50 })).toEqual({ from: 0, to: 50 })
    expect(idRange({ from: 10 ** 12, to: 10 ** 12 + 1000 })).toEqual({ from: 10 ** 12, to: 10 ** 12 + 1000 })
  })

  it.each([
    [5, 5, 'Invalid state: "from" (5) is expected to be less than "to" (5)'],
    [6, 5, 'Invalid state: "from" (6) is expected to be less than "to" (5)'],
    [1, 1002, '"from" (1) and "to" (1002) range should be less than or equal to 1000'],
  ])('refuses from %d to %d', (from, to, detail) => {
    expect(() => idRange({ from, to })).toThrow(invalid(detail))
  })
})

describe(transactionRange, () => {
  it.each([
    [{}, { from: 0, to: 10 }],
    [{ from: 7 }, { from: 7, to: 17 }],
    [{ to: 3 }, { from: 0, to: 3 }],
    [
      { from: 2, to: 0 },
      { from: 2, to: 12 },
    ],
    [
      { from: 1, to: 51 },
      { from: 1, to: 51 },
    ],
  ])('turns %j into the range %j', (asked, range) => {
    expect(transactionRange(asked, 2)).toEqual(range)
  })

  it('is no wider than fifty', () => {
    expect(() => transactionRange({ from: 0, to: 51 }, 1)).toThrow(
      invalid('"from" (0) and "to" (51) range should be less than or equal to 50'),
    )
  })

  it('is bounded if several histories have to be merged', () => {
    expect(transactionRange({ from: 10 ** 9, to: 10 ** 9 + 50 }, 1).to).toBe(10 ** 9 + 50)
    expect(transactionRange({ from: 9_950, to: 10_000 }, 2).to).toBe(10_000)
    expect(() => transactionRange({ from: 9_951, to: 10_001 }, 2)).toThrow(expect.objectContaining({ code: 'InvalidRange' }))
  })
})
