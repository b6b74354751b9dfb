import type { ClientKey as DescribedKey, NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { CLIENT_AREAS, type ClientArea } from '@trestle/contracts/areas'
import type { Caller } from '@trestle/contracts/caller'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'

export const MAX_CLIENT_KEYS = 100

/** A key that has not been deleted. */
export interface ClientKeyRecord {
  readonly id: string
  readonly userId: string
  readonly name?: string
  readonly scopes: readonly ClientArea[]
  readonly createdAt: Date
  readonly expiresAt?: Date
  readonly lastUsedAt?: Date
}

/** A client that may be given tokens: its key is neither deleted nor expired, and its user is not disabled. */
export interface LiveClient {
  readonly clientId: string
  readonly userId: string
  readonly scopes: readonly ClientArea[]
  /** The user's epoch. */
  readonly epoch: number
  readonly keyEpoch: number
  readonly expiresAt?: Date
}

export interface KeyOptions {
  readonly name?: string
  readonly expiresAt?: string
  readonly scopes?: readonly ClientArea[]
}

/** A new key, unless its user has too many. */
export function newKey(owner: { id: string; userId: string; keys: number }, options: KeyOptions, now: Date): ClientKeyRecord {
  if (owner.keys >= MAX_CLIENT_KEYS)
    throw new Problem('conflict', 'LimitExceeded', `An account has at most ${MAX_CLIENT_KEYS} client keys; delete one first.`)
  const expiresAt = options.expiresAt === undefined ? undefined : new Date(options.expiresAt)
  if (expiresAt && expiresAt <= now) throw expiresInThePast()
  // Each once, in the order of the areas, as every token will carry them.
  const scopes = CLIENT_AREAS.filter((area) => options.scopes?.includes(area) ?? true)
  return { id: owner.id, userId: owner.userId, name: options.name, scopes, createdAt: now, expiresAt }
}

/** The areas among the stored names: an area that no longer exists opens nothing. */
export function storedScopes(names: readonly string[]): ClientArea[] {
  return CLIENT_AREAS.filter((area) => names.includes(area))
}

/** The caller of a request that came with the key itself, so that it leaves an activity record like any other. */
export function clientCaller({ clientId, userId, scopes }: LiveClient): Caller {
  // No token was presented, so nothing outlives the request.
  const organizationId = personalOrganizationOf(userId)
  return { kind: 'client', userId, clientId, organizationId, permissions: new Set(), areas: scopes, expiresAt: 0 }
}

export function describeKey({ id, lastUsedAt, ...key }: ClientKeyRecord): DescribedKey {
  return { id, ...described(key), lastUsedAt: lastUsedAt?.toISOString() }
}

export function describeNewKey({ id, ...key }: ClientKeyRecord, clientSecret: string): NewClientKey {
  return { clientId: id, clientSecret, ...described(key) }
}

/** The same for an unknown client, a deleted one and a wrong secret. */
export function invalidClient(): Problem {
  return new Problem('unauthenticated', 'InvalidClient', 'The client id or the client secret is not valid.')
}

export function unknownClientKey(): Problem {
  return new Problem('unknown', 'UnknownClientKey', 'You have no client key with this id.')
}

function described({ name, createdAt, expiresAt, scopes }: Omit<ClientKeyRecord, 'id'>) {
  return { name, createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString(), scopes: [...scopes] }
}

function expiresInThePast(): Problem {
  const errors = [{ path: 'body.expiresAt', message: 'must be in the future' }]
  return new Problem('invalid', 'InvalidInput', 'body.expiresAt: must be in the future', { errors })
}
