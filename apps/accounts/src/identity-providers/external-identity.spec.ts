import fc from 'fast-check'
import { authenticationTime, completedClaims, grantedBy, identityOf } from './external-identity.js'
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

  it.each<[string, string, boolean]>([
    ['of another tenant', 'https://sts.windows.net/11111111-2222-3333-4444-555555555555/', false],
    ['of a consumer service', 'live.com', false],
    ['of its own', 'https://login.microsoftonline.com/99999999-2222-3333-4444-555555555555/v2.0', true],
    ['of its own, by its older name', 'https://sts.windows.net/99999999-2222-3333-4444-555555555555/', true],
  ])('asks whether Entra names a user %s: a guest may have any address', (_, idp, isAuthoritative) => {
    const issuer = 'https://login.microsoftonline.com/99999999-2222-3333-4444-555555555555/v2.0'
    const entra = { ...PROVIDER, issuer, preset: 'entra' } as const
    expect(identityOf(entra, { sub: 'ada', email: 'ada@acme.example', idp })).toMatchObject({ isAuthoritative })
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

describe(completedClaims, () => {
  it('adds what an id_token leaves out, which comes first', () => {
    expect(completedClaims({ sub: 'ada', name: 'Ada' }, { ...CLAIMS, name: 'A.', groups: ['admins'] })).toEqual({
      ...CLAIMS,
      name: 'Ada',
      groups: ['admins'],
    })
  })

  it.each<[string, object, object, unknown]>([
    ['the userinfo', { email_verified: true }, { email: 'ada@acme.example', email_verified: false }, false],
    ['the userinfo, which does not say', { email_verified: true }, { email: 'ada@acme.example' }, undefined],
    ['the id_token, which does not say', { email: 'ada@acme.example' }, { email: 'eve@acme.example', email_verified: true }, undefined],
  ])('never takes an address for verified because another one is: it is of %s', (_, claims, userInfo, verified) => {
    expect(completedClaims({ sub: 'ada', ...claims }, { sub: 'ada', ...userInfo })).toMatchObject({
      email: 'ada@acme.example',
      email_verified: verified,
    })
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

describe(authenticationTime, () => {
  const NOW = new Date('2026-03-01T12:00:00.000Z')
  const seconds = NOW.getTime() / 1000
  const github = { ...PROVIDER, preset: 'github' } as const

  it('is what the id_token states, and never in the future', () => {
    expect(authenticationTime(PROVIDER, { auth_time: seconds - 60 }, NOW)).toEqual(new Date(NOW.getTime() - 60_000))
    expect(authenticationTime(PROVIDER, { auth_time: seconds + 30 }, NOW)).toEqual(NOW)
  })

  it.each([undefined, null, '1', 0, -1, Number.NaN, Number.POSITIVE_INFINITY, seconds + 31, seconds * 1000])(
    'is not known where %p is stated',
    (auth_time) => {
      expect(authenticationTime(PROVIDER, { auth_time }, NOW)).toBeUndefined()
    },
  )

  it('is that of the sign-in at a provider that never states it, and only there', () => {
    expect(authenticationTime(github, {}, NOW)).toEqual(NOW)
    expect(authenticationTime(github, { auth_time: seconds - 3600 }, NOW)).toEqual(new Date(NOW.getTime() - 3600_000))
    expect(authenticationTime(github, { auth_time: seconds + 3600 }, NOW)).toBeUndefined()
  })

  it('is not believed of userinfo', () => {
    expect(completedClaims(CLAIMS, { auth_time: seconds })).toMatchObject({ auth_time: undefined })
  })
})
