import { dayRangeOf } from './day-range.js'

const TODAY = '2026-11-21'

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
