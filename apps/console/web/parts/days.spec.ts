import { billingRanges, CHART_RANGES, daysAfter, periodsOf } from './days.js'
import { keysOf } from './keys.js'

describe(periodsOf, () => {
  it.each(keysOf(CHART_RANGES))('of a %s leaves no day out and counts none twice, up to today', (range) => {
    const pieces = periodsOf(range, '2026-03-01')
    expect(pieces.at(-1)?.to).toBe('2026-03-01')
    for (const [index, { from }] of pieces.entries()) if (index > 0) expect(from).toBe(daysAfter(pieces[index - 1]!.to, 1))
    const [count, days] = CHART_RANGES[range]
    expect(pieces).toHaveLength(count)
    expect(pieces.every(({ from, to }) => daysAfter(from, days - 1) === to)).toBe(true)
  })

  it('names each by its first day', () => {
    expect(periodsOf('week', '2026-11-22')[0]).toEqual({ from: '2026-11-16', to: '2026-11-16', label: 'Nov 16' })
  })
})

describe(billingRanges, () => {
  it('knows months of any length and the turn of the year', () => {
    expect(billingRanges('2026-01-15')).toEqual({
      thisMonth: ['2026-01-01', '2026-01-15'],
      lastMonth: ['2025-12-01', '2025-12-31'],
      thirtyDays: ['2025-12-17', '2026-01-15'],
      thisYear: ['2026-01-01', '2026-01-15'],
    })
    expect(billingRanges('2028-03-31').lastMonth).toEqual(['2028-02-01', '2028-02-29'])
  })
})
