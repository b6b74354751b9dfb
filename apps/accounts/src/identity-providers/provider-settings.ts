import { type IdentityProvider, ProviderId } from '@trestle/contracts/accounts/identity-providers'
import { ROLES, type Role } from '@trestle/contracts/accounts/organizations'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseEmail } from '../users/email.js'

/** An identity provider as the operator configured it. */
export interface ProviderSettings {
  readonly id: string
  readonly title: string
  readonly preset: Preset
  /** As the provider writes it: it is compared, character by character. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The e-mail domains that it decides about: nobody else can have an address there that it does not know of. */
  readonly domains: readonly string[]
  /** Whether the users of these domains sign in here only. */
  readonly isRequired: boolean
  /** The organization that its users join. */
  readonly organization?: string
  /** What every user of its domains becomes there. */
  readonly roles: readonly Role[]
  /** What the members of its groups become there. */
  readonly groups: ReadonlyMap<string, readonly Role[]>
  readonly groupsClaim: string
}

interface PresetRules {
  /** Used where the configuration has none. */
  readonly issuer?: string
  readonly scope: string
  /** Is there an id_token? GitHub has an API instead. */
  readonly protocol: 'openid' | 'github'
  /**
   * What makes an address one of the provider's own domains, apart from `email_verified`. Entra has no such claim, and a tenant decides about its
   * domains. Google verifies any address once, when somebody signs up with it: only `hd` says that the domain is a customer and has this user.
   */
  readonly ownDomain: 'email_verified' | 'configured' | 'hd'
  /**
   * Whether it can be asked to sign somebody in anew, and says when it did (`auth_time`). GitHub has nothing of the kind, Google neither takes
   * `prompt=login` nor has `auth_time` unless it is turned on for the client: there a sign-in here counts as fresh.
   */
  readonly saysWhen: boolean
}

const PRESETS = {
  oidc: { scope: 'openid email profile', protocol: 'openid', ownDomain: 'email_verified', saysWhen: true },
  keycloak: { scope: 'openid email profile', protocol: 'openid', ownDomain: 'email_verified', saysWhen: true },
  entra: { scope: 'openid email profile', protocol: 'openid', ownDomain: 'configured', saysWhen: true },
  google: { issuer: 'https://accounts.google.com', scope: 'openid email profile', protocol: 'openid', ownDomain: 'hd', saysWhen: false },
  okta: { scope: 'openid email profile groups', protocol: 'openid', ownDomain: 'email_verified', saysWhen: true },
  github: { issuer: 'https://github.com', scope: 'read:user user:email', protocol: 'github', ownDomain: 'email_verified', saysWhen: false },
} as const satisfies Record<string, PresetRules>
type Preset = keyof typeof PRESETS

/** Those that every organization has. */
const Roles = z.array(z.enum(ROLES)).max(ROLES.length)
const Entry = z
  .strictObject({
    id: ProviderId,
    title: z.string().trim().min(1).max(60),
    preset: z.enum(Object.keys(PRESETS) as Preset[]).default('oidc'),
    issuer: z.url().optional(),
    clientId: z.string().min(1).max(300),
    clientSecretFile: z.string().min(1),
    domains: z.array(z.string().transform(canonicalDomain)).max(100).default([]),
    required: z.boolean().default(false),
    organization: z.string().max(100).optional(),
    roles: Roles.default(['member']),
    groups: z.record(z.string().min(1).max(200), Roles).default({}),
    groupsClaim: z.string().min(1).max(100).default('groups'),
  })
  .refine(({ required, domains }) => !required || domains.length > 0, { path: ['required'], message: 'needs domains' })
const File = z.strictObject({ providers: z.array(Entry).max(50) })

interface Surroundings {
  readSecret(path: string): string
  /** Outside production an issuer on this machine may have http. */
  readonly isProduction: boolean
}

/** Reads the configuration (YAML, or JSON, which is YAML); throws an error that says what is wrong with it. */
export function parseProviders(text: string, { readSecret, isProduction }: Surroundings): readonly ProviderSettings[] {
  const parsed = File.safeParse(text.trim() === '' ? { providers: [] } : parse(text))
  if (!parsed.success) throw new Error(`is not a list of identity providers:\n${z.prettifyError(parsed.error)}`)
  const { providers } = parsed.data
  const twice = providers.find(({ id }, place) => providers.findIndex((each) => each.id === id) !== place)
  if (twice) throw new Error(`lists ${twice.id} twice`)
  return providers.map(({ clientSecretFile, required, groups, ...entry }) => ({
    ...entry,
    issuer: issuerOfEntry(entry, isProduction),
    clientSecret: readSecret(clientSecretFile),
    isRequired: required,
    groups: new Map(Object.entries(groups)),
  }))
}

export function rulesOf({ preset }: Pick<ProviderSettings, 'preset'>): PresetRules {
  return PRESETS[preset]
}

/** The scopes to ask for. The teams of GitHub need one more, which its users would wonder about. */
export function scopeOf(provider: Pick<ProviderSettings, 'preset' | 'groups'>): string {
  const { scope, protocol } = rulesOf(provider)
  return protocol === 'github' && provider.groups.size > 0 ? `${scope} read:org` : scope
}

export function describeProvider({ id, title, domains, isRequired }: ProviderSettings): IdentityProvider {
  return { id, title, domains: [...domains], required: isRequired }
}

/** The provider that the users of a domain must sign in with, instead of a password. */
export function requiredProvider(providers: readonly ProviderSettings[], emailCanonical: string): ProviderSettings | undefined {
  return providers.find(({ isRequired, domains }) => isRequired && domains.includes(domainOf(emailCanonical)))
}

export function domainOf(emailCanonical: string): string {
  return emailCanonical.slice(emailCanonical.lastIndexOf('@') + 1)
}

/** Whether a URL may be called: https, or http on this machine where that is allowed. */
export function isProviderUrl(url: URL, allowsLoopback: boolean): boolean {
  if (url.username || url.password) return false
  return url.protocol === 'https:' || (allowsLoopback && url.protocol === 'http:' && isLoopback(url.hostname))
}

export function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}

function issuerOfEntry({ id, preset, issuer }: Pick<z.output<typeof Entry>, 'id' | 'preset' | 'issuer'>, isProduction: boolean): string {
  const chosen = issuer ?? rulesOf({ preset }).issuer
  if (!chosen) throw new Error(`${id} needs an issuer`)
  if (!isProviderUrl(new URL(chosen), !isProduction)) throw new Error(`${id}: the issuer must be an https URL`)
  // An issuer of many tenants lets every one of them name its users as it likes.
  if (preset === 'entra' && /\/(common|organizations|consumers)\b/.test(chosen))
    throw new Error(`${id}: the issuer must name one tenant: https://login.microsoftonline.com/<tenant id>/v2.0`)
  return chosen
}

function canonicalDomain(text: string, context: z.RefinementCtx): string {
  const email = parseEmail(`x@${text}`)
  if (email) return domainOf(email.canonical)
  context.addIssue('must be a domain such as example.org')
  return z.NEVER
}
