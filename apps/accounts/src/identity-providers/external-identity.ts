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
}

const MAX_GROUPS = 1000

const Claims = z.object({
  // OpenID Connect Core section 2.
  sub: z.string().min(1).max(255),
  email: z.string().max(320).optional().catch(undefined),
  // Strictly the boolean: what else a provider may mean by it is not to be guessed.
  email_verified: z.boolean().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  hd: z.string().optional().catch(undefined),
})

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

/** The roles that the provider grants: those of everybody of its domains, and those of groups. Without an answer about groups, the ones from before. */
export function grantedBy(provider: ProviderSettings, identity: ExternalIdentity, before: readonly string[]): readonly string[] {
  const byDomain = identity.isAuthoritative ? provider.roles : []
  const byGroup = identity.groups?.flatMap((group) => provider.groups.get(group) ?? []) ?? before
  return [...new Set([...byDomain, ...byGroup])]
}

function isOwnDomain(provider: ProviderSettings, domain: string, { hd }: z.output<typeof Claims>): boolean {
  return provider.domains.includes(domain) && (rulesOf(provider).ownDomain !== 'hd' || hd?.toLowerCase() === domain)
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
