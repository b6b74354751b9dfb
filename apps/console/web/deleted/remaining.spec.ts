import { remainingText } from './remaining.js'

describe(remainingText, () => {
  it.each([
    ['2026-03-04T12:00:00.000Z', '72 hours'],
    ['2026-03-01T14:59:59.000Z', '2 hours'],
    ['2026-03-01T13:00:00.000Z', '1 hour'],
    ['2026-03-01T12:59:59.000Z', '59 minutes'],
    ['2026-03-01T12:01:30.000Z', '1 minute'],
    ['2026-03-01T12:00:30.000Z', '0 minutes'],
    ['2026-03-01T12:00:00.000Z', 'no time'],
    ['2020-01-01T00:00:00.000Z', 'no time'],
  ])('until %s is %s', (until, expected) => {
    expect(remainingText(until, new Date('2026-03-01T12:00:00.000Z'))).toBe(expected)
  })
})
