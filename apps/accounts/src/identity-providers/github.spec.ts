import { githubApi, githubClaims, githubEndpoints } from './github.js'

const USER = { id: 7, login: 'ada', name: null }
const EMAILS = [
  { email: 'old@example.org', primary: false, verified: true },
  { email: 'ada@example.org', primary: true, verified: true },
]

describe(githubClaims, () => {
  it('names the user by the id, which no other login ever gets', () => {
    const teams = [{ slug: 'ops', organization: { login: 'acme' } }]
    expect(githubClaims({ user: USER, emails: EMAILS, teams }, 'groups')).toEqual({
      sub: '7',
      name: 'ada',
      email: 'ada@example.org',
      email_verified: true,
      groups: ['acme/ops'],
    })
  })

  it.each([
    ['is not verified', [{ email: 'ada@example.org', primary: true, verified: false }], { email_verified: false }],
    ['is none', [], { email: undefined, email_verified: false }],
    ['is not the primary one', [EMAILS[0]], { email: undefined, email_verified: false }],
  ])('believes no address that %s', (_, emails, expected) => {
    expect(githubClaims({ user: USER, emails, teams: [] }, 'groups')).toMatchObject(expected)
  })

  it.each([{}, { id: '7', login: 'ada' }, { message: 'Bad credentials' }, null])('refuses %j', (user) => {
    expect(() => githubClaims({ user, emails: EMAILS, teams: [] }, 'groups')).toThrow()
  })
})

describe(githubEndpoints, () => {
  it.each([
    ['https://github.com', 'https://github.com/login/oauth/authorize', 'https://api.github.com/user'],
    ['https://git.acme.example', 'https://git.acme.example/login/oauth/authorize', 'https://git.acme.example/api/v3/user'],
  ])('of %s', (issuer, authorization, user) => {
    expect([githubEndpoints(issuer).metadata.authorization_endpoint, githubApi(issuer).user.href]).toEqual([authorization, user])
  })
})
