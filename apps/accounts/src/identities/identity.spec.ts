import type { ProviderSettings } from '../identity-providers/provider-settings.js'
import { describeIdentity, type IdentityRecord, requireUnlinkable } from './identity.js'

const SINCE = new Date('2026-03-01T12:00:00.000Z')
const identity = (id: string, issuer = 'https://id.acme.example'): IdentityRecord => ({
  ...{ id, issuer, subject: `subject of ${id}`, provider: 'acme', name: null, email: null },
  ...{ createdAt: SINCE, lastUsedAt: SINCE },
})
const provider = (id: string, issuer: string): ProviderSettings => ({
  ...{ id, issuer, title: id.toUpperCase(), preset: 'oidc', clientId: 'c', clientSecret: 's', domains: [], isRequired: false },
  ...{ roles: [], groups: new Map(), groupsClaim: 'groups' },
})
const acme = provider('acme', 'https://id.acme.example')
const other = provider('other', 'https://other.example')
const rules = { hasPassword: false, providers: [acme, other] }

describe(requireUnlinkable, () => {
  it('lets the last identity go only where there is a password', () => {
    expect(requireUnlinkable([identity('a')], 'a', { ...rules, hasPassword: true })).toMatchObject({ id: 'a' })
    expect(() => requireUnlinkable([identity('a')], 'a', rules)).toThrow(expect.objectContaining({ code: 'LastSignIn', status: 409 }))
  })

  it('lets one of several go, unless no other opens the account', () => {
    expect(requireUnlinkable([identity('a'), identity('b')], 'a', rules)).toMatchObject({ id: 'a' })
    const gone = identity('b', 'https://formerly.example')
    expect(() => requireUnlinkable([identity('a'), gone], 'a', rules)).toThrow(expect.objectContaining({ code: 'LastSignIn' }))
    expect(requireUnlinkable([identity('a'), gone], gone.id, rules)).toMatchObject({ id: 'b' })
  })

  it('counts only identities of the provider that the domain requires', () => {
    const required = { ...rules, required: acme }
    const elsewhere = identity('b', other.issuer)
    expect(() => requireUnlinkable([identity('a'), elsewhere], 'a', required)).toThrow(/sign in with ACME only/)
    expect(requireUnlinkable([identity('a'), elsewhere], 'b', required)).toMatchObject({ id: 'b' })
    expect(requireUnlinkable([identity('a'), identity('b')], 'a', required)).toMatchObject({ id: 'a' })
  })

  it('knows only those of the user', () => {
    expect(() => requireUnlinkable([identity('a')], 'b', rules)).toThrow(expect.objectContaining({ code: 'UnknownIdentity' }))
  })
})

describe(describeIdentity, () => {
  it('names the provider as the operator does, and none that has another issuer by now', () => {
    expect(describeIdentity(identity('a'), [acme])).toEqual({
      ...{ id: 'a', provider: 'acme', title: 'ACME', subject: 'subject of a' },
      ...{ linkedAt: SINCE.toISOString(), lastUsedAt: SINCE.toISOString() },
    })
    expect(describeIdentity(identity('a', 'https://formerly.example'), [acme]).title).toBeUndefined()
  })

  it('shows whom the provider names', () => {
    const named = { ...identity('a'), name: 'Ada', email: 'ada@acme.example' }
    expect(describeIdentity(named, [acme])).toMatchObject({ name: 'Ada', email: 'ada@acme.example' })
  })
})
