import type { ClientClaims } from '@trestle/auth/claims'
import fc from 'fast-check'
import type { LiveClient } from '../client-keys/client-key.js'
import { introspected } from './introspection.js'

describe(introspected, () => {
  it('reports an access token as inactive once either epoch is higher', () => {
    const epoch = fc.nat(3)
    fc.assert(
      fc.property(epoch, epoch, epoch, epoch, (ep, kep, userEpoch, keyEpoch) => {
        const { active } = introspected(claims({ ep, kep }), client({ epoch: userEpoch, keyEpoch }))
        expect(active).toBe(ep >= userEpoch && kep >= keyEpoch)
      }),
    )
  })

  it("reveals nothing about another client's token", () => {
    expect(introspected(claims({ client_id: 'client-2' }), client())).toEqual({ active: false })
  })

  it('reveals nothing about what is not a token', () => {
    expect(introspected(undefined, client())).toEqual({ active: false })
  })
})

function claims(overrides: Partial<ClientClaims> = {}): ClientClaims {
  const times = { exp: 2, iat: 1, nbf: 1 }
  return { iss: 'i', sub: 'user-1', aud: ['nodes'], ...times, jti: 'j', client_id: 'client-1', scope: 'nodes', ep: 0, kep: 0, ...overrides }
}

function client(overrides: Partial<LiveClient> = {}): LiveClient {
  return { clientId: 'client-1', userId: 'user-1', scopes: ['nodes'], epoch: 0, keyEpoch: 0, ...overrides }
}
