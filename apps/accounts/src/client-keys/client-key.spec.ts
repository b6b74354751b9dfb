import { CLIENT_AREAS } from '@trestle/contracts/areas'
import { KEY_LIMIT, newKey } from './client-key.js'

const NOW = new Date('2026-11-21T12:00:00Z')

describe(newKey, () => {
  it('opens every area of clients unless it is given scopes', () => {
    expect(newKey(owner(), {}, NOW).scopes).toEqual(CLIENT_AREAS)
  })

  it('keeps each scope once, in the order of the areas', () => {
    expect(newKey(owner(), { scopes: ['nodes', 'staking', 'nodes'] }, NOW).scopes).toEqual(['staking', 'nodes'])
  })

  it('refuses one too many', () => {
    expect(newKey(owner(KEY_LIMIT - 1), {}, NOW).id).toBe('client-1')
    expect(() => newKey(owner(KEY_LIMIT), {}, NOW)).toThrow(expect.objectContaining({ code: 'LimitExceeded', status: 409 }))
  })

  it('refuses to expire at once', () => {
    expect(() => newKey(owner(), { expiresAt: NOW.toISOString() }, NOW)).toThrow(
      expect.objectContaining({ code: 'InvalidInput', status: 400 }),
    )
  })
})

function owner(keys = 0) {
  return { id: 'client-1', userId: 'user-1', keys }
}
