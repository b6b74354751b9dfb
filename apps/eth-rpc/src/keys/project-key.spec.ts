import { changedProjectKey, describeCreatedKey, describeProjectKey, newProjectKey, type StoredProjectKey } from './project-key.js'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const LATER = '2027-01-01T00:00:00.000Z'
const KEY = `${'a'.repeat(28)}beef`

describe(newProjectKey, () => {
  it('keeps the hash and the last four digits, never the key', () => {
    const stored = created({ expiresAt: LATER })
    expect(stored).toMatchObject({ lastFour: 'beef', name: 'mobile', version: 1, expiresAt: new Date(LATER) })
    expect(stored.digest).toHaveLength(32)
    expect(JSON.stringify([stored, describeProjectKey(stored)])).not.toContain(KEY)
    expect(describeCreatedKey(stored, KEY, 'https://trestle.test/eth')).toMatchObject({
      key: KEY,
      url: `https://trestle.test/eth/v1/${KEY}`,
    })
  })

  it('is one of twenty at most', () => {
    expect(created({}, 19)).toBeDefined()
    expect(() => created({}, 20)).toThrow('A project has at most 20 keys; delete one first.')
  })

  it.each([NOW.toISOString(), '2020-01-01T00:00:00.000Z'])('does not expire at %s, which is past', (expiresAt) => {
    expect(() => created({ expiresAt })).toThrow('body.expiresAt: must be in the future')
  })
})

describe(changedProjectKey, () => {
  it('changes what is given, and removes an expiry that is null', () => {
    const stored = created({ expiresAt: LATER })
    expect(changedProjectKey(stored, { name: 'tablet' }, NOW)).toEqual({ ...stored, name: 'tablet', version: 2 })
    expect(changedProjectKey(stored, { expiresAt: null }, NOW)).toEqual({ ...stored, expiresAt: null, version: 2 })
    expect(() => changedProjectKey(stored, { expiresAt: NOW.toISOString() }, NOW)).toThrow('must be in the future')
  })
})

function created(given: { expiresAt?: string }, count = 0): StoredProjectKey {
  return newProjectKey({ project: 1, number: 1, createdBy: 'user-1', key: KEY, count }, { name: 'mobile', ...given }, NOW)
}
