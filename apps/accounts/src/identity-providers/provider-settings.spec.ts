import { describeProvider, isProviderUrl, parseProviders, requiredProvider, scopeOf } from './provider-settings.js'

const ENTRY = { id: 'acme', title: 'Acme', issuer: 'https://id.acme.example', clientId: 'trestle', clientSecretFile: '/secret' }
const parse = (entry: object, isProduction = true) =>
  parseProviders(JSON.stringify({ providers: [{ ...ENTRY, ...entry }] }), { readSecret: (path) => `of ${path}`, isProduction })

describe(parseProviders, () => {
  it('reads YAML', () => {
    const [provider] = parseProviders(
      `providers:
  - id: acme
    title: Acme
    preset: keycloak
    issuer: https://id.acme.example/realms/acme
    clientId: trestle
    clientSecretFile: /run/secrets/acme
    domains: [acme.example, BÜRO.example]
    required: true
    organization: org-1
    groups: {admins: [admin, billing]}
`,
      { readSecret: (path) => `of ${path}`, isProduction: true },
    )
    expect(provider).toMatchObject({
      issuer: 'https://id.acme.example/realms/acme',
      clientSecret: 'of /run/secrets/acme',
      domains: ['acme.example', 'xn--bro-hoa.example'],
      isRequired: true,
      roles: ['member'],
      groups: new Map([['admins', ['admin', 'billing']]]),
      groupsClaim: 'groups',
    })
  })

  it.each(['', ' \n'])('finds none in %j', (text) => {
    expect(parseProviders(text, { readSecret: () => '', isProduction: true })).toEqual([])
  })

  it('knows where Google and GitHub are', () => {
    expect(parse({ preset: 'google', issuer: undefined })[0]?.issuer).toBe('https://accounts.google.com')
    expect(parse({ preset: 'github', issuer: undefined })[0]?.issuer).toBe('https://github.com')
  })

  it.each<[string, object]>([
    ['needs an issuer', { issuer: undefined }],
    ['must be an https URL', { issuer: 'http://id.acme.example' }],
    ['must be an https URL', { issuer: 'http://127.0.0.1:9000' }],
    ['must be an https URL', { issuer: 'https://user:password@id.acme.example' }],
    ['must name one tenant', { preset: 'entra', issuer: 'https://login.microsoftonline.com/common/v2.0' }],
    ['must be a domain', { domains: ['acme'] }],
    ['must be a domain', { domains: ['*.acme.example'] }],
    ['needs domains', { required: true }],
    ['lower-case letters', { id: 'A/../b' }],
    ['Unrecognized key: "requierd"', { requierd: true }],
    ['groups', { groups: { admins: ['root'] } }],
    ['preset', { preset: 'saml' }],
  ])('%s: %j', (message, entry) => {
    expect(() => parse(entry)).toThrow(message)
  })

  it('refuses an id twice', () => {
    const text = JSON.stringify({ providers: [ENTRY, ENTRY] })
    expect(() => parseProviders(text, { readSecret: () => '', isProduction: true })).toThrow('lists acme twice')
  })

  it('allows http outside production, on this machine', () => {
    expect(parse({ issuer: 'http://127.0.0.1:9000' }, false)).toHaveLength(1)
    expect(() => parse({ issuer: 'http://id.acme.example' }, false)).toThrow('https')
  })
})

describe(requiredProvider, () => {
  const providers = [...parse({ id: 'open', domains: ['open.example'] }), ...parse({ domains: ['acme.example'], required: true })]
  it.each([
    ['ada@acme.example', 'acme'],
    ['ada@open.example', undefined],
    ['ada@sub.acme.example', undefined],
    ['acme.example@other.example', undefined],
  ])('of %s is %s', (address, id) => {
    expect(requiredProvider(providers, address)?.id).toBe(id)
  })
})

describe(describeProvider, () => {
  it('says nothing that is not public', () => {
    expect(parse({ domains: ['acme.example'] }).map(describeProvider)).toEqual([
      { id: 'acme', title: 'Acme', domains: ['acme.example'], required: false },
    ])
  })
})

describe(scopeOf, () => {
  it('asks GitHub for teams only where they count', () => {
    const [without, withTeams] = [...parse({ preset: 'github' }), ...parse({ preset: 'github', groups: { 'acme/ops': ['admin'] } })]
    expect([without, withTeams].map((each) => each && scopeOf(each))).toEqual(['read:user user:email', 'read:user user:email read:org'])
  })
})

describe(isProviderUrl, () => {
  it.each([
    ['https://id.example', true, true],
    ['http://id.example', false, false],
    ['http://127.0.0.1:1', false, true],
    ['http://localhost', false, true],
    ['http://[::1]', false, true],
    ['http://127.0.0.1.evil.example', false, false],
    ['javascript:alert(1)', false, false],
    ['file:///etc/passwd', false, false],
  ])('%s: %s, in development %s', (url, production, development) => {
    expect([isProviderUrl(new URL(url), false), isProviderUrl(new URL(url), true)]).toEqual([production, development])
  })
})
