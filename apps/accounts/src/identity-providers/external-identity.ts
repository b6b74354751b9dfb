import { z } from 'zod'
import { type Email, parseEmail } from '../users/email.js'
import { domainOf, type ProviderSettings, rulesOf } from './provider-settings.js'

/** Who an identity provider says that somebody is. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  /** Undefined if the provider has not verified it. */
  readonly email?: Email
  /** Whether the domain of the address is one that the provider decides about: only then is it believed without a mail of our own. */
  readonly isAuthoritative: boolean
  /** Undefined where the provider did not say, which is not the same as none. */
  readonly groups?: readonly string[]
  /** When the user proved there who they are. Undefined where the provider does not say, or says what cannot be. */
  readonly authenticatedAt?: Date
}

const MAX_GROUPS = 1000
const MAX_CLOCK_SKEW_MS = 30_000

const AuthTime = z
  .number()
  .positive()
  .transform((seconds) => seconds * 1000)

const Claims = z.object({
  // OpenID Connect Core section 2.
  sub: z.string().min(1).max(255),
  email: z.string().max(320).optional().catch(undefined),
  // Strictly the boolean: what else a provider may mean by it is not to be guessed.
  email_verified: z.boolean().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  hd: z.string().optional().catch(undefined),
  idp: z.string().optional().catch(undefined),
})

/** The claims of an id_token, and what it leaves out, from the userinfo endpoint. An address and whether it is verified are of one of them; the time of the
 * sign-in is signed. */
export function completedClaims(
  claims: Readonly<Record<string, unknown>>,
  userInfo: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { email, email_verified } = claims['email'] === undefined ? userInfo : claims
  return { ...userInfo, ...claims, email, email_verified, auth_time: claims['auth_time'] }
}

/** What the verified claims of a provider say; undefined if they name nobody. */
export function identityOf(provider: ProviderSettings, claims: Readonly<Record<string, unknown>>): ExternalIdentity | undefined {
  const { data } = Claims.safeParse(claims)
  if (!data) return undefined
  const email = data.email === undefined ? undefined : parseEmail(data.email)
  const isOwn = email !== undefined && isOwnDomain(provider, domainOf(email.canonical), data)
  const isVerified = data.email_verified === true || (isOwn && rulesOf(provider).ownDomain === 'configured')
  return {
    issuer: provider.issuer,
    subject: data.sub,
    name: displayNameOf(data.name ?? data.email ?? data.sub),
    email: isVerified ? email : undefined,
    isAuthoritative: isVerified && isOwn,
    groups: groupsOf(provider, claims),
  }
}

/** OpenID Connect Core section 2, `auth_time`. A time that is still to come would be fresh for long. */
export function authenticationTime(provider: ProviderSettings, claims: Readonly<Record<string, unknown>>, now: Date): Date | undefined {
  const stated = claims['auth_time']
  if (stated === undefined && !rulesOf(provider).saysWhen) return now
  const { data: at } = AuthTime.safeParse(stated)
  return at === undefined || at > now.getTime() + MAX_CLOCK_SKEW_MS ? undefined : new Date(Math.min(at, now.getTime()))
}

/** The roles that the provider grants: those of everybody of its domains, and those of groups. Without an answer about groups, the ones from before. */
export function grantedBy(provider: ProviderSettings, identity: ExternalIdentity, before: readonly string[]): readonly string[] {
  const byDomain = identity.isAuthoritative ? provider.roles : []
  const byGroup = identity.groups?.flatMap((group) => provider.groups.get(group) ?? []) ?? before
  return [...new Set([...byDomain, ...byGroup])]
}

function isOwnDomain(provider: ProviderSettings, domain: string, claims: z.output<typeof Claims>): boolean {
  return provider.domains.includes(domain) && OWN_USER[rulesOf(provider).ownDomain](claims, { domain, issuer: provider.issuer })
}

/** Whether a user is one of the provider's own, and no guest of whose address somebody else decides. */
const OWN_USER: Record<
  ReturnType<typeof rulesOf>['ownDomain'],
  (claims: z.output<typeof Claims>, own: { domain: string; issuer: string }) => boolean
> = {
  email_verified: () => true,
  // Entra says of guests which tenant or service they are from, and of its own users nothing, or itself by one of its two names.
  configured: ({ idp }, { issuer }) =>
    idp === undefined || idp === issuer || idp === `https://sts.windows.net/${new URL(issuer).pathname.split('/')[1]}/`,
  hd: ({ hd }, { domain }) => hd?.toLowerCase() === domain,
}

function groupsOf({ groupsClaim, groups }: ProviderSettings, claims: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  if (groups.size === 0) return []
  // OpenID Connect Core section 5.6.2: Entra names a place to ask for very many groups instead of listing them.
  const elsewhere = z.record(z.string(), z.unknown()).safeParse(claims['_claim_names']).data ?? {}
  if (Object.hasOwn(elsewhere, groupsClaim)) return undefined
  const listed = z.array(z.unknown()).safeParse(claims[groupsClaim]).data ?? []
  return listed.slice(0, MAX_GROUPS).filter((group) => typeof group === 'string')
}

/** One line, as somebody could have typed it at a sign-up. */
function displayNameOf(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()
  return line === '' ? 'unnamed' : line
}
