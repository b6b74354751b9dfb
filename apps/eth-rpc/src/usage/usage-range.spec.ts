import { outlivedBefore, rangeOf } from './usage-range.js'

const NOW = new Date('2026-11-21T12:34:56.789Z')

describe(rangeOf, () => {
  it('is the last 24 hours, the first of them as a whole', () => {
    expect(rangeOf({ granularity: 'hour' }, NOW)).toEqual({ from: new Date('2026-11-20T12:00:00.000Z'), to: NOW, granularity: 'hour' })
  })

  it('begins with a whole day by the day', () => {
    const { from } = rangeOf({ from: '2026-11-01T23:00:00.000Z', granularity: 'day' }, NOW)
    expect(from).toEqual(new Date('2026-11-01T00:00:00.000Z'))
  })

  it.each([
    ['that is empty', { from: '2026-11-21T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z', granularity: 'hour' }],
    ['that ends before it begins', { from: '2026-11-22T12:00:00.000Z', granularity: 'hour' }],
    ['of more than 7 days by the hour', { from: '2026-11-14T00:00:00.000Z', granularity: 'hour' }],
    ['of more than 100 days by the day', { from: '2026-08-01T00:00:00.000Z', granularity: 'day' }],
  ] as const)('refuses a range %s', (_, query) => {
    expect(() => rangeOf(query, NOW)).toThrow(expect.objectContaining({ code: 'InvalidRange' }))
  })
})

describe(outlivedBefore, () => {
  it('keeps 13 months', () => {
    expect(outlivedBefore(NOW)).toEqual(new Date('2025-10-21T00:00:00.000Z'))
  })
})
