import { outlivedBefore, rangeOf } from './usage-range.js'

const NOW = new Date('2026-11-21T12:34:56.789Z')

describe(rangeOf, () => {
  it('is the last 24 hours, the first of them as a whole', () => {
    expect(rangeOf({}, NOW)).toEqual({ from: new Date('2026-11-20T12:00:00.000Z'), to: NOW })
  })

  it.each([
    ['that is empty', { from: '2026-11-21T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z' }],
    ['that ends before it begins', { from: '2026-11-22T12:00:00.000Z' }],
    ['of more than 31 days', { from: '2026-10-21T00:00:00.000Z' }],
  ])('refuses a range %s', (_, query) => {
    expect(() => rangeOf(query, NOW)).toThrow(expect.objectContaining({ code: 'InvalidRange' }))
  })
})

describe(outlivedBefore, () => {
  it('keeps 13 months', () => {
    expect(outlivedBefore(NOW)).toEqual(new Date('2025-10-21T00:00:00.000Z'))
  })
})
