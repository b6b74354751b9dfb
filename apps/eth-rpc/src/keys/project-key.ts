import { hash } from 'node:crypto'
import {
  type CreatedProjectKey,
  type ProjectKey as KeyReply,
  MAX_PROJECT_KEYS,
  type NewProjectKey,
  type ProjectKeyChange,
} from '@trestle/contracts/eth-rpc/project-keys'
import { Problem } from '@trestle/problem/problem'

/** A key as it is kept: without the credential. */
export interface StoredProjectKey {
  /** The serial number of its project. */
  readonly project: number
  readonly number: number
  readonly digest: Uint8Array<ArrayBuffer>
  readonly lastFour: string
  readonly name: string
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  /** Incremented by every change of name or expiry. */
  readonly version: number
  readonly lastUsedAt: Date | null
  readonly lastUsedFrom: string | null
}

/** What of a key calls with it need: `id` is the credential that was presented. */
export type PresentedKey = Pick<StoredProjectKey, 'number' | 'name' | 'version' | 'expiresAt'> & { readonly id: string }

interface KeyCreation {
  readonly project: number
  readonly number: number
  readonly createdBy: string
  /** The credential. */
  readonly key: string
  /** How many the project has already. */
  readonly count: number
}

/** Enough for 128 random bits: nobody can guess one from its hash. */
export function digestOfKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', key, 'buffer'))
}

export function newProjectKey({ key, count, ...creation }: KeyCreation, { name, expiresAt }: NewProjectKey, now: Date): StoredProjectKey {
  if (count >= MAX_PROJECT_KEYS)
    throw new Problem('conflict', 'LimitExceeded', `A project has at most ${MAX_PROJECT_KEYS} keys; delete one first.`)
  return {
    ...creation,
    digest: digestOfKey(key),
    lastFour: key.slice(-4),
    name,
    createdAt: now,
    expiresAt: expiryOf(expiresAt, now),
    version: 1,
    lastUsedAt: null,
    lastUsedFrom: null,
  }
}

export function changedProjectKey(key: StoredProjectKey, { name = key.name, expiresAt }: ProjectKeyChange, now: Date): StoredProjectKey {
  return { ...key, name, expiresAt: expiresAt === undefined ? key.expiresAt : expiryOf(expiresAt, now), version: key.version + 1 }
}

export function describeProjectKey({ number, name, lastFour, createdBy, ...key }: StoredProjectKey): KeyReply {
  return {
    number,
    name,
    lastFour,
    createdAt: key.createdAt.toISOString(),
    createdBy,
    expiresAt: key.expiresAt?.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString(),
    lastUsedFrom: key.lastUsedFrom ?? undefined,
  }
}

/** The one reply that has the credential. */
export function describeCreatedKey(stored: StoredProjectKey, key: string, baseUrl: string): CreatedProjectKey {
  return { ...describeProjectKey(stored), key, url: `${baseUrl}/v1/${key}` }
}

export function unknownKey(): Problem {
  return new Problem('unknown', 'UnknownProjectKey', 'The project has no key of this number.')
}

function expiryOf(expiresAt: string | null | undefined, now: Date): Date | null {
  if (!expiresAt) return null
  const expiry = new Date(expiresAt)
  if (expiry > now) return expiry
  const message = 'must be in the future'
  throw new Problem('invalid', 'InvalidInput', `body.expiresAt: ${message}`, { errors: [{ path: 'body.expiresAt', message }] })
}
