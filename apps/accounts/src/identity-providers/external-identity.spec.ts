import fc from 'fast-check'
import { grantedBy, identityOf } from './external-identity.js'
import type { ProviderSettings } from './provider-settings.js'

const PROVIDER: ProviderSettings = {
  id: 'acme',
  title: 'Acme',
  preset: 'oidc',
  issuer: 'https://id.acme.example',
  clientId: 'trestle',
  clientSecret: 'secret',
  domains: ['acme.example'],
  isRequired: false,
  organization: 'org-1',
  roles: ['member'],
  groups: new Map([
    ['admins', ['admin']],
    ['money', ['billing', 'auditor']],
  ]),
  groupsClaim: 'groups',
}
const CLAIMS = { sub: 'ada', email: 'Ada@Acme.example', email_verified: true }

describe(identityOf, () => {
  it('knows the address of a domain of its own', () => {
    expect(identityOf(PROVIDER, { ...CLAIMS, groups: ['admins'], name: ' Ada\nLovelace ' })).toEqual({
      issuer: 'https://id.acme.example',
      subject: 'ada',
      name: 'Ada Lovelace',
      email: { address: 'Ada@Acme.example', canonical: 'ada@acme.example' },
      isAuthoritative: true,
      groups: ['admins'],
    })
  })

  it.each<[string, object, object]>([
    ['of another domain', { email: 'ada@other.example' }, { isAuthoritative: false }],
    ['of a subdomain', { email: 'ada@x.acme.example' }, { isAuthoritative: false }],
    ['that is not verified', { email_verified: false }, { isAuthoritative: false, email: undefined }],
    ['that is said to be verified in a word', { email_verified: 'true' }, { isAuthoritative: false, email: undefined }],
    ['that is none', { email: 'ada' }, { isAuthoritative: false, email: undefined }],
    ['with two at signs', { email: 'ada@acme.example@other.example' }, { isAuthoritative: false, email: undefined }],
  ])('is no authority on an address %s', (_, claims, expected) => {
    expect(identityOf(PROVIDER, { ...CLAIMS, ...claims })).toMatchObject(expected)
  })

  it('believes Entra about the configured domains, and about no other, for it has no claim for that', () => {
    const entra = { ...PROVIDER, preset: 'entra' } as const
    expect(identityOf(entra, { sub: 'ada', email: 'ada@acme.example' })).toMatchObject({ isAuthoritative: true })
    expect(identityOf(entra, { sub: 'ada', email: 'ada@other.example' })).toMatchObject({ isAuthoritative: false, email: undefined })
  })

  it('believes Google about a domain where the user is of that customer', () => {
    const google = { ...PROVIDER, preset: 'google' } as const
    expect(identityOf(google, CLAIMS)).toMatchObject({ isAuthoritative: false })
    expect(identityOf(google, { ...CLAIMS, hd: 'other.example' })).toMatchObject({ isAuthoritative: false })
    expect(identityOf(google, { ...CLAIMS, hd: 'Acme.example' })).toMatchObject({ isAuthoritative: true })
  })

  it('knows that groups which are listed elsewhere are not none', () => {
    expect(identityOf(PROVIDER, { ...CLAIMS, _claim_names: { groups: 'src1' } })?.groups).toBeUndefined()
    expect(identityOf(PROVIDER, CLAIMS)?.groups).toEqual([])
    expect(identityOf(PROVIDER, { ...CLAIMS, groups: 'admins' })?.groups).toEqual([])
    expect(identityOf(PROVIDER, { ...CLAIMS, groups: ['admins', 1, null] })?.groups).toEqual(['admins'])
  })

  it('takes whatever a provider sends without failing, and names of at most 200 characters', () => {
    fc.assert(
      fc.property(
        fc.record({
          sub: fc.anything(),
          email: fc.anything(),
          name: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
          groups: fc.anything(),
        }),
        (claims) => {
          const identity = identityOf(PROVIDER, claims)
          const { name = 'x' } = identity ?? {}
          expect(name.length > 0 && name.length <= 200 && name.isWellFormed() && !/\p{Cc}/u.test(name)).toBe(true)
        },
      ),
    )
  })
})

describe(grantedBy, () => {
  const granted = (claims: object, before: readonly 'admin'[] = []) => {
    const identity = identityOf(PROVIDER, { ...CLAIMS, ...claims })
    return identity && grantedBy(PROVIDER, identity, before)
  }
  it.each<[string, object, string[]]>([
    ['its domain', {}, ['member']],
    ['a group', { groups: ['admins'] }, ['member', 'admin']],
    ['groups', { groups: ['admins', 'money', 'unknown', '__proto__'] }, ['member', 'admin', 'billing', 'auditor']],
    ['a group alone', { email: 'ada@other.example', groups: ['money'] }, ['billing', 'auditor']],
    ['nothing', { email_verified: false }, []],
  ])('by %s', (_, claims, roles) => {
    expect(granted(claims)).toEqual(roles)
  })

  it('keeps what groups granted before, where the provider does not say', () => {
    expect(granted({ _claim_names: { groups: 'src1' } }, ['admin'])).toEqual(['member', 'admin'])
  })
})
