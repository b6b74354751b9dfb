import { CLIENT_AREAS } from '@trestle/contracts/areas'
import { MAX_CLIENT_KEYS, newKey } from './client-key.js'

const NOW = new Date('2026-11-21T12:00:00Z')

describe(newKey, () => {
  it('opens every area of clients unless scopes are given', () => {
    expect(newKey(owner(), {}, NOW).scopes).toEqual(CLIENT_AREAS)
  })

  it('keeps each scope once, in the order of the areas', () => {
    expect(newKey(owner(), { scopes: ['nodes', 'staking', 'nodes'] }, NOW).scopes).toEqual(['staking', 'nodes'])
  })

  it('refuses one too many', () => {
    expect(newKey(owner(MAX_CLIENT_KEYS - 1), {}, NOW).id).toBe('client-1')
    expect(() => newKey(owner(MAX_CLIENT_KEYS), {}, NOW)).toThrow(expect.objectContaining({ code: 'LimitExceeded', status: 409 }))
  })

  it('refuses an expiry in the past', () => {
    expect(() => newKey(owner(), { expiresAt: NOW.toISOString() }, NOW)).toThrow(
      expect.objectContaining({ code: 'InvalidInput', status: 400 }),
    )
  })
})

function owner(keys = 0) {
  return { id: 'client-1', userId: 'user-1', keys }
}
