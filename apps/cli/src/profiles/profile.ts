import { z } from 'zod'

export const LOCAL_URL = 'http://127.0.0.1:8080'
export const DEFAULT_PROFILE = 'default'
/** As an organization: the one that the user has alone. */
export const PERSONAL = 'personal'

/** `config.json`: nothing in it is secret. */
const ProfileConfig = z.object({
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** The organization that commands are about; without one, the personal one. */
  organization: z.string().optional(),
})
export const Config = z.object({ profiles: z.record(z.string(), ProfileConfig) })
export type Config = z.infer<typeof Config>

// A login is sent only to the platform that issued it.
const AccountLogin = z.object({ kind: z.literal('account'), url: z.string(), email: z.string(), token: z.string() })
const ClientLogin = z.object({
  kind: z.literal('client'),
  url: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  /** The last access token, used until it expires. */
  token: z.string().optional(),
})
export const Login = z.discriminatedUnion('kind', [AccountLogin, ClientLogin])
export type Login = z.infer<typeof Login>
export type ClientLogin = z.infer<typeof ClientLogin>

/** `credentials.json`: a login for each profile. */
export const StoredCredentials = z.object({ profiles: z.record(z.string(), Login) })
export type StoredCredentials = z.infer<typeof StoredCredentials>

const TokenClaims = z.looseObject({
  sub: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  exp: z.number(),
})
type TokenClaims = z.infer<typeof TokenClaims>

/** The claims of an access token, unverified; undefined if it is not one. */
export function tokenClaimsOf(token: string): TokenClaims | undefined {
  try {
    return TokenClaims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    return undefined
  }
}

const MARGIN_MS = 60_000

/** Whether a token is valid for at least another minute, by this machine's clock. */
export function isFresh(token: string, now: Date): boolean {
  const claims = tokenClaimsOf(token)
  return claims !== undefined && claims.exp * 1000 - MARGIN_MS > now.getTime()
}
