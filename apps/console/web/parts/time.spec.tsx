import { rendered } from '../testing/rendered.js'
import { formatDistance, Time } from './time.js'

const NOW = new Date('2026-03-01T12:00:00Z')

describe(formatDistance, () => {
  it.each([
    [0, 'just now'],
    [-59, 'just now'],
    [59, 'just now'],
    [-60, '1 minute ago'],
    [-3599, '59 minutes ago'],
    [-3600, '1 hour ago'],
    [3600, 'in 1 hour'],
    [-86_399, '23 hours ago'],
    [-86_400, 'yesterday'],
    [86_400, 'tomorrow'],
    [-29 * 86_400, '29 days ago'],
    [-30 * 86_400, 'last month'],
    [-364 * 86_400, '12 months ago'],
    [-365 * 86_400, 'last year'],
    [3 * 365 * 86_400, 'in 3 years'],
  ])('at %i seconds says "%s"', (seconds, expected) => {
    expect(formatDistance(new Date(NOW.getTime() + seconds * 1000), NOW)).toBe(expected)
  })
})

describe(Time, () => {
  it.each([['2026-03-01T12:00:00.000Z'], [NOW.getTime()], [NOW]])('marks %p up for machines, with the exact time as its title', (value) => {
    const page = rendered(<Time value={value} />)
    expect(page.has('dateTime="2026-03-01T12:00:00.000Z"')).toBe(true)
    expect(page.has(/title="Mar 1, 2026, [^"]+"/)).toBe(true)
  })
})
