import type { ClientKey as DescribedKey, NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { CLIENT_AREAS } from '@trestle/contracts/areas'
import type { Caller, KeyLimits } from '@trestle/contracts/caller'
import { areasOfScopes, personalOrganizationOf, Scope } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'

export const MAX_CLIENT_KEYS = 100
const EXPIRY_NOTICE_MS = 7 * 24 * 3600_000

/** A key that has not been deleted. */
export interface ClientKeyRecord {
  readonly id: string
  readonly userId: string
  /** Undefined: the personal one of its user. */
  readonly organizationId?: string
  /** Who made a service account's key. */
  readonly createdBy?: string
  readonly name?: string
  readonly scopes: readonly Scope[]
  readonly perSecond?: number
  readonly perDay?: number
  readonly allowedIps: readonly string[]
  readonly createdAt: Date
  readonly expiresAt?: Date
  readonly lastUsedAt?: Date
  readonly lastUsedFrom?: string
}

/** A client that may be given tokens: its key is neither deleted nor expired, and its user is not disabled. */
export interface LiveClient {
  readonly clientId: string
  readonly userId: string
  /** Undefined: the personal one of its user. */
  readonly organizationId?: string
  readonly scopes: readonly Scope[]
  readonly limits?: KeyLimits
  /** The user's epoch. */
  readonly epoch: number
  readonly keyEpoch: number
  readonly expiresAt?: Date
}

export interface KeyOptions {
  readonly name?: string
  readonly expiresAt?: string
  readonly scopes?: readonly Scope[]
  readonly perSecond?: number
  readonly perDay?: number
  readonly allowedIps?: readonly string[]
}

/** Null removes what was set. */
export type KeyChange = { readonly [K in keyof KeyOptions]: KeyOptions[K] | null }

interface Owner {
  readonly id: string
  readonly userId: string
  readonly organizationId?: string
  readonly createdBy?: string
  /** How many keys the organization has, or the user alone. */
  readonly keys: number
}

/** A new key, unless there are too many. */
export function newKey({ keys, ...owner }: Owner, options: KeyOptions, now: Date): ClientKeyRecord {
  if (keys >= MAX_CLIENT_KEYS)
    throw new Problem('conflict', 'LimitExceeded', `An organization has at most ${MAX_CLIENT_KEYS} client keys; delete one first.`)
  const { expiresAt, scopes = CLIENT_AREAS, allowedIps = [], ...rest } = options
  return { ...owner, ...rest, allowedIps, scopes: storedScopes(scopes), createdAt: now, expiresAt: expiryOf(expiresAt, now) }
}

/** The key after a change. */
export function changedKey(key: ClientKeyRecord, change: KeyChange, now: Date): ClientKeyRecord {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const { expiresAt, scopes, allowedIps, ...rest }: KeyChange = Object.fromEntries(given)
  const set = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? undefined]))
  return {
    ...key,
    ...set,
    ...(scopes && { scopes: storedScopes(scopes) }),
    ...(allowedIps && { allowedIps }),
    ...(expiresAt !== undefined && { expiresAt: expiryOf(expiresAt ?? undefined, now) }),
  }
}

/** Whether tokens from before a change would open more or less than those from now on: then they end. */
export function endsTokens(change: KeyChange): boolean {
  return Object.keys(change).some((name) => name !== 'name')
}

/** Each once, in the order of the contract, as every token carries them; a scope that no longer exists opens nothing. */
export function storedScopes(names: readonly string[]): Scope[] {
  return Scope.options.filter((scope) => names.includes(scope))
}

/** The limits that a token carries; undefined without any. */
export function limitsOf({
  perSecond,
  perDay,
  allowedIps,
}: Pick<ClientKeyRecord, 'perSecond' | 'perDay' | 'allowedIps'>): KeyLimits | undefined {
  if (!perSecond && !perDay && allowedIps.length === 0) return undefined
  return { perSecond, perDay, ...(allowedIps.length > 0 && { allowedIps }) }
}

/** Keys that expire before then are announced. */
export function noticeUntil(now: Date): Date {
  return new Date(now.getTime() + EXPIRY_NOTICE_MS)
}

/** The caller of a request that came with the key itself, so that it leaves an activity record like any other. */
export function clientCaller({ clientId, userId, organizationId, scopes }: LiveClient): Caller {
  // No token was presented, so nothing outlives the request.
  const areas = areasOfScopes(scopes)
  const ofOrganization = organizationId ?? personalOrganizationOf(userId)
  return { kind: 'client', userId, clientId, organizationId: ofOrganization, permissions: new Set(), areas, expiresAt: 0 }
}

export function describeKey({ id, lastUsedAt, lastUsedFrom, ...key }: ClientKeyRecord): DescribedKey {
  return { id, ...described(key), lastUsedAt: lastUsedAt?.toISOString(), lastUsedFrom }
}

export function describeNewKey({ id, ...key }: Omit<ClientKeyRecord, 'lastUsedAt' | 'lastUsedFrom'>, clientSecret: string): NewClientKey {
  return { clientId: id, clientSecret, ...described(key) }
}

/** The same for an unknown client, a deleted one and a wrong secret. */
export function invalidClient(): Problem {
  return new Problem('unauthenticated', 'InvalidClient', 'The client id or the client secret is not valid.')
}

export function unknownClientKey(): Problem {
  return new Problem('unknown', 'UnknownClientKey', 'You have no client key with this id.')
}

/** Its secret would let whoever gets it do what the member may do. */
export function notYourKey(): Problem {
  return new Problem('forbidden', 'NotYourKey', 'The key is of another member, who alone may change it; you may delete it.')
}

function described(key: Omit<ClientKeyRecord, 'id' | 'lastUsedAt' | 'lastUsedFrom'>) {
  const { name, userId, organizationId = personalOrganizationOf(userId), createdAt, expiresAt, scopes, perSecond, perDay, allowedIps } = key
  return {
    organizationId,
    userId,
    name,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString(),
    scopes: [...scopes],
    perSecond,
    perDay,
    ...(allowedIps.length > 0 && { allowedIps: [...allowedIps] }),
  }
}

function expiryOf(expiresAt: string | undefined, now: Date): Date | undefined {
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt)
  if (expiry && expiry <= now) throw expiresInThePast()
  return expiry
}

function expiresInThePast(): Problem {
  const errors = [{ path: 'body.expiresAt', message: 'must be in the future' }]
  return new Problem('invalid', 'InvalidInput', 'body.expiresAt: must be in the future', { errors })
}
