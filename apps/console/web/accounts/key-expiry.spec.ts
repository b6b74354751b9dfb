import { keyExpiresAt } from './key-expiry.js'

const NOW = new Date('2026-03-01T12:00:00.000Z')

describe(keyExpiresAt, () => {
  it('has no end for a key that is good until it is deleted', () => {
    expect(keyExpiresAt('never', '', NOW)).toBeUndefined()
  })

  it('counts days from now', () => {
    expect(keyExpiresAt('30', '', NOW)).toBe('2026-03-31T12:00:00.000Z')
  })

  it('ends with the last millisecond of the last day, where one is', () => {
    expect(keyExpiresAt('day', '2026-12-31', NOW)).toBe(new Date(2026, 11, 31, 23, 59, 59, 999).toISOString())
  })
})
