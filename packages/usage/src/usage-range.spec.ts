import { hourOf, rangeOf, retainedSince } from './usage-range.js'

const NOW = new Date('2026-11-21T12:34:56.789Z')
const HOURS = { granularity: 'hour', maxDays: 7 } as const
const DAYS = { granularity: 'day', maxDays: 100 } as const

describe(rangeOf, () => {
  it('defaults to the last 24 hours, from a full hour', () => {
    expect(rangeOf({}, NOW, HOURS)).toEqual({ from: new Date('2026-11-20T12:00:00.000Z'), to: NOW })
  })

  it('begins with a full day for days', () => {
    const { from } = rangeOf({ from: '2026-11-01T23:00:00.000Z' }, NOW, DAYS)
    expect(from).toEqual(new Date('2026-11-01T00:00:00.000Z'))
  })

  it.each([HOURS, DAYS])('may be as long as %j allows', (bounds) => {
    const from = new Date(NOW.getTime() - bounds.maxDays * 86_400_000).toISOString()
    expect(rangeOf({ from }, NOW, bounds).to).toEqual(NOW)
  })

  it.each([
    ['that is empty', { from: '2026-11-21T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z' }, HOURS],
    ['that ends before it begins', { from: '2026-11-22T12:00:00.000Z' }, HOURS],
    ['of more than 7 days by the hour', { from: '2026-11-14T12:34:56.788Z' }, HOURS],
    ['of more than 100 days by the day', { from: '2026-08-13T12:34:56.788Z' }, DAYS],
  ] as const)('refuses a range %s', (_, query, bounds) => {
    expect(() => rangeOf(query, NOW, bounds)).toThrow(expect.objectContaining({ code: 'InvalidRange' }))
  })
})

describe(hourOf, () => {
  it('is the start of the hour in UTC', () => {
    expect(new Date(hourOf(Date.parse('2026-11-21T12:59:59.999Z'))).toISOString()).toBe('2026-11-21T12:00:00.000Z')
  })
})

describe(retainedSince, () => {
  it('keeps 13 months', () => {
    expect(retainedSince(NOW)).toEqual(new Date('2025-10-21T00:00:00.000Z'))
  })
})
