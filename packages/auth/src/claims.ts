import { ClientId } from '@trestle/contracts/accounts/client-keys'
import { OrganizationId } from '@trestle/contracts/accounts/organizations'
import { SessionId } from '@trestle/contracts/accounts/sessions'
import { UserId } from '@trestle/contracts/accounts/users'
import { AREAS } from '@trestle/contracts/areas'
import type { Caller, KeyLimits } from '@trestle/contracts/caller'
import { areasOfScopes, type Permission, permissionsOfScope, Scope } from '@trestle/contracts/permissions'
import { z } from 'zod'
import { invalidToken } from './auth-problems.js'

/** The two kinds of access tokens. Each has signing keys of its own, so that no token can pass for one of the other kind. */
export const TOKEN_KINDS = {
  account: { typ: 'acct+jwt', lifetimeSeconds: 12 * 3600 },
  // RFC 9068 section 2.1.
  client: { typ: 'at+jwt', lifetimeSeconds: 3600 },
} as const
export type TokenKind = keyof typeof TOKEN_KINDS

export const CLOCK_TOLERANCE_SECONDS = 5
/** The `aud` entry that makes an account token an administrator's. */
export const MANAGER = 'manager'

const registered = {
  iss: z.string(),
  sub: UserId,
  aud: z.array(z.string()).min(1),
  exp: z.int(),
  iat: z.int(),
  nbf: z.int(),
  jti: z.string().min(1).max(100),
  /** The user's epoch when the token was signed. */
  ep: z.int().nonnegative(),
}

export const AccountClaims = z.object({
  ...registered,
  sid: SessionId,
  /** How a user with a second factor was authenticated (RFC 8176), and when the factor was proven; absent for users without. */
  amr: z.array(z.string().max(20)).max(10).optional(),
  auth_time: z.int().optional(),
  /** An administrator without a second factor: the token gives no access to administration. */
  lacks_factor: z.literal(true).optional(),
})
export type AccountClaims = z.infer<typeof AccountClaims>

/** The limits of a client key: requests a second and a day, and from where. */
const Limits = z.object({
  s: z.int().positive().optional(),
  d: z.int().positive().optional(),
  ip: z.array(z.string()).max(16).optional(),
})

/**
 * The claims of RFC 9068; `kep`, the client key's epoch when the token was signed; `org`, the organization of the key, if it is not the user's own;
 * and `lim`, its limits.
 */
export const ClientClaims = z.object({
  ...registered,
  client_id: ClientId,
  scope: z.string(),
  kep: z.int().nonnegative(),
  org: OrganizationId.optional(),
  lim: Limits.optional(),
})
export type ClientClaims = z.infer<typeof ClientClaims>

export type Claims = AccountClaims | ClientClaims

export interface AccountGrant {
  issuer: string
  userId: string
  sessionId: string
  epoch: number
  administrator: boolean
  /** Administration is not open to an administrator who has no second factor yet. */
  lacksFactor?: boolean
  proof?: FactorProof
  /** By default a lifetime from now; a token that replaces another one of a session ends with it. */
  expiresAt?: Date
  jti: string
}

/** That a user has proven a second factor, how and when. */
export interface FactorProof {
  /** RFC 8176. */
  readonly methods: readonly string[]
  readonly at: Date
}

/** The claims that the issuer signs into an account token. */
export function accountClaims(grant: AccountGrant, now: Date): AccountClaims {
  const { issuer, userId, sessionId, epoch, administrator, lacksFactor = false, proof, expiresAt, jti } = grant
  return {
    iss: issuer,
    sub: userId,
    aud: administrator && !lacksFactor ? [...AREAS, MANAGER] : [...AREAS],
    ...validity('account', now),
    ...(expiresAt && { exp: seconds(expiresAt) }),
    jti,
    ep: epoch,
    sid: sessionId,
    ...(proof && { amr: [...proof.methods], auth_time: seconds(proof.at) }),
    ...(administrator && lacksFactor && { lacks_factor: true }),
  }
}

export interface ClientGrant {
  issuer: string
  userId: string
  clientId: string
  /** Undefined for the user's own. */
  organizationId?: string
  scopes: readonly Scope[]
  limits?: KeyLimits
  epoch: number
  keyEpoch: number
  jti: string
}

/** The claims that the issuer signs into a client token. */
export function clientClaims(grant: ClientGrant, now: Date): ClientClaims {
  const { issuer, userId, clientId, organizationId, scopes, limits, epoch, keyEpoch, jti } = grant
  const subject = { iss: issuer, sub: userId, aud: areasOfScopes(scopes), client_id: clientId, scope: scopes.join(' ') }
  const restriction = { ...(organizationId && { org: organizationId }), ...(limits && { lim: limitClaims(limits) }) }
  return { ...subject, ...restriction, ...validity('client', now), jti, ep: epoch, kep: keyEpoch }
}

export function limitsOfToken({ lim }: ClientClaims): KeyLimits | undefined {
  return lim && { perSecond: lim.s, perDay: lim.d, allowedIps: lim.ip }
}

/** What a client token gives access to, whatever its user may do. */
export function permissionsOfToken({ scope }: ClientClaims): ReadonlySet<Permission> {
  const scopes = scope.split(' ').map((each) => Scope.safeParse(each))
  return new Set(scopes.flatMap(({ data }) => (data ? permissionsOfScope(data) : [])))
}

/** The claims of a signed payload. Throws `InvalidToken` if the issuer would not have signed them by now. */
export function readClaims<K extends TokenKind>(kind: K, payload: unknown, now: Date): ClaimsOf[K] {
  const { success, data, error } = SCHEMAS[kind].safeParse(payload)
  if (!success) throw invalidToken(error)
  const { iat, exp } = data
  if (iat > seconds(now) + CLOCK_TOLERANCE_SECONDS) throw invalidToken('issued in the future')
  if (exp - iat > TOKEN_KINDS[kind].lifetimeSeconds + CLOCK_TOLERANCE_SECONDS) throw invalidToken('valid for longer than any token may be')
  return data as ClaimsOf[K]
}

export function isExpired({ exp }: Claims, now: Date): boolean {
  return seconds(now) >= exp + CLOCK_TOLERANCE_SECONDS
}

export function kindOfClaims(claims: Claims): TokenKind {
  return 'client_id' in claims ? 'client' : 'account'
}

/** Whether administration is closed to an administrator for want of a second factor. */
export function lacksFactor(claims: Claims): boolean {
  return 'lacks_factor' in claims && claims.lacks_factor === true
}

/** What the next token of a caller says about the second factor. */
export function proofOf({ methods = [], factorProvenAt }: Caller): FactorProof | undefined {
  return factorProvenAt === undefined ? undefined : { methods, at: new Date(factorProvenAt * 1000) }
}

const SCHEMAS = { account: AccountClaims, client: ClientClaims }

interface ClaimsOf {
  account: AccountClaims
  client: ClientClaims
}

function limitClaims({ perSecond, perDay, allowedIps }: KeyLimits): z.infer<typeof Limits> {
  return { ...(perSecond && { s: perSecond }), ...(perDay && { d: perDay }), ...(allowedIps && { ip: [...allowedIps] }) }
}

function validity(kind: TokenKind, now: Date) {
  const iat = seconds(now)
  return { iat, nbf: iat, exp: iat + TOKEN_KINDS[kind].lifetimeSeconds }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
