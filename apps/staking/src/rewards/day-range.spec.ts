import { dayRangeOf, overlapOf } from './day-range.js'

const TODAY = '2026-11-21'

describe(overlapOf, () => {
  it.each([
    ['2026-11-01', '2026-11-05', '2026-11-03', '2026-11-09', { from: '2026-11-03', to: '2026-11-05' }],
    ['2026-11-01', '2026-11-09', '2026-11-03', '2026-11-03', { from: '2026-11-03', to: '2026-11-03' }],
    ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', undefined],
    ['2026-11-01', '2026-11-09', '2026-11-05', '2026-11-04', undefined],
  ])('of %s to %s with %s to %s is %j', (from, to, otherFrom, otherTo, overlap) => {
    const [one, other] = [
      { from, to },
      { from: otherFrom, to: otherTo },
    ]
    expect([overlapOf(one, other), overlapOf(other, one)]).toEqual([overlap, overlap])
  })
})

describe(dayRangeOf, () => {
  it('defaults to the last 30 days', () => {
    expect(dayRangeOf({}, TODAY)).toEqual({ from: '2026-10-23', to: TODAY })
  })

  it('ends at the requested day', () => {
    expect(dayRangeOf({ to: '2024-03-01' }, TODAY)).toEqual({ from: '2024-02-01', to: '2024-03-01' })
  })

  it('allows one day, and a leap year', () => {
    expect(dayRangeOf({ from: TODAY, to: TODAY }, TODAY)).toEqual({ from: TODAY, to: TODAY })
    expect(dayRangeOf({ from: '2024-01-01', to: '2024-12-31' }, TODAY)).toEqual({ from: '2024-01-01', to: '2024-12-31' })
  })

  it.each([
    ['that ends before it begins', { from: '2026-11-02', to: '2026-11-01' }],
    ['of more than 366 days', { from: '2024-01-01', to: '2025-01-01' }],
  ])('refuses a range %s', (_, range) => {
    expect(() => dayRangeOf(range, TODAY)).toThrow(expect.objectContaining({ code: 'InvalidRange' }))
  })
})
