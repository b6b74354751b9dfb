import { z } from 'zod'

// GitHub speaks OAuth 2 without OpenID Connect: who the user is, its API says.

const PUBLIC_ISSUER = 'https://github.com'

/** The endpoints of github.com, or of a GitHub Enterprise Server. */
export function githubEndpoints(issuer: string) {
  const base = issuer.replace(/\/+$/, '')
  const api = apiOf(base)
  return {
    metadata: {
      issuer,
      authorization_endpoint: `${base}/login/oauth/authorize`,
      token_endpoint: `${base}/login/oauth/access_token`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    },
    hosts: [new URL(base).hostname, new URL(api).hostname],
  }
}

export function githubApi(issuer: string) {
  const api = apiOf(issuer.replace(/\/+$/, ''))
  return {
    user: new URL(`${api}/user`),
    emails: new URL(`${api}/user/emails?per_page=100`),
    teams: new URL(`${api}/user/teams?per_page=100`),
  }
}

const User = z.object({ id: z.int().positive(), login: z.string(), name: z.string().nullish() })
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })).max(100)
const Teams = z.array(z.object({ slug: z.string(), organization: z.object({ login: z.string() }) })).max(100)

/** The replies of the API as claims. The id is the subject: a login can be renamed, and taken by somebody else. A team is `organization/team`. */
export function githubClaims({ user, emails, teams }: { user: unknown; emails: unknown; teams: unknown }, groupsClaim: string) {
  const { id, login, name } = User.parse(user)
  const primary = Emails.parse(emails).find((each) => each.primary)
  return {
    sub: String(id),
    name: name ?? login,
    email: primary?.email,
    email_verified: primary?.verified === true,
    [groupsClaim]: Teams.parse(teams).map(({ slug, organization }) => `${organization.login}/${slug}`),
  }
}

function apiOf(base: string): string {
  return base === PUBLIC_ISSUER ? 'https://api.github.com' : `${base}/api/v3`
}
