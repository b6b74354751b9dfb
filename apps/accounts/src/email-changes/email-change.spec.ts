import { hashEmailChangeToken, requestedChange, undoableUntil } from './email-change.js'

const NOW = new Date('2026-01-01T00:00:00Z')

describe(requestedChange, () => {
  it('can be confirmed for a day, while the user is not signed out everywhere', () => {
    const email = { address: 'Ada@New.example', canonical: 'ada@new.example' }
    expect(requestedChange('email-change-1', { id: 'user-1', epoch: 3 }, email, NOW)).toEqual({
      id: 'email-change-1',
      userId: 'user-1',
      email: 'Ada@New.example',
      emailCanonical: 'ada@new.example',
      epoch: 3,
      createdAt: NOW,
      expiresAt: new Date('2026-01-02T00:00:00Z'),
    })
  })
})

describe(undoableUntil, () => {
  it('is three days after the change took effect', () => {
    expect(undoableUntil(NOW)).toEqual(new Date('2026-01-04T00:00:00Z'))
  })
})

describe(hashEmailChangeToken, () => {
  it('differs for each token, and is not the token', () => {
    expect(hashEmailChangeToken('a')).not.toEqual(hashEmailChangeToken('b'))
    expect(hashEmailChangeToken('a')).toHaveLength(32)
  })
})
