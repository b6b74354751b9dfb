import { TOKEN_KINDS } from '@trestle/auth/claims'
import type { PublicJwk } from '@trestle/contracts/accounts/discovery'
import { z } from 'zod'

/** Each family of keys signs one kind of token, so that no token passes for another kind. */
export const KEY_FAMILIES = {
  ...TOKEN_KINDS,
  refresh: { typ: 'rt+jwt', lifetimeSeconds: 365 * 24 * 3600 },
} as const
export const KeyFamily = z.enum(['account', 'client', 'refresh'])
export type KeyFamily = keyof typeof KEY_FAMILIES
export const FAMILY_NAMES: readonly KeyFamily[] = KeyFamily.options

export interface SigningKeyRecord {
  readonly kid: string
  readonly family: KeyFamily
  readonly publicJwk: PublicJwk
  readonly createdAt: Date
  /** Until then the key is only published; from then on it signs, until a newer one does. */
  readonly activeFrom: Date
  /** When somebody else may have it; from then on it neither signs nor is published. */
  readonly compromisedAt: Date | null
}

type KeyState = 'pending' | 'active' | 'retired' | 'compromised' | 'expired'

export interface PlannedKey {
  readonly family: KeyFamily
  readonly activeFrom: Date
}

const IS_PUBLISHED: Record<KeyState, boolean> = { pending: true, active: true, retired: true, compromised: false, expired: false }

const MINUTE_MS = 60_000
// Other verifiers cache a key set for 10 minutes (jose, jwks-rsa).
const PUBLICATION_LEAD_MS = 15 * MINUTE_MS
const ROTATION_AGE_MS = 90 * 24 * 60 * MINUTE_MS
// For clocks that differ.
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS

/** The state of a key follows from the dates of its family's keys, so it is not stored. */
export function keyStateOf(key: SigningKeyRecord, keys: readonly SigningKeyRecord[], now: Date): KeyState {
  if (key.compromisedAt) return areTokensExpired(key.family, key.compromisedAt, now) ? 'expired' : 'compromised'
  if (key.activeFrom > now) return 'pending'
  const successor = keys.filter((other) => isAfter(other, key) && hasBeenActive(other, now)).sort(byAge)[0]
  if (!successor) return 'active'
  return areTokensExpired(key.family, successor.activeFrom, now) ? 'expired' : 'retired'
}

/** A key that was compromised while it was pending has retired no other. */
function hasBeenActive({ activeFrom, compromisedAt }: SigningKeyRecord, now: Date): boolean {
  return compromisedAt ? activeFrom < compromisedAt : activeFrom <= now
}

/** Whether every token of a family that was signed before a moment has expired. */
function areTokensExpired(family: KeyFamily, signedBefore: Date, now: Date): boolean {
  return now.getTime() >= signedBefore.getTime() + KEY_FAMILIES[family].lifetimeSeconds * 1000 + CLOCK_TOLERANCE_MS
}

/** The key that signs now. */
export function activeKey<K extends SigningKeyRecord>(family: KeyFamily, keys: readonly K[], now: Date): K | undefined {
  return keys.find((key) => key.family === family && keyStateOf(key, keys, now) === 'active')
}

/** The keys a verifier needs: those that will sign, the one that signs, and those whose tokens are still valid. */
export function publishedKeys<K extends SigningKeyRecord>(family: KeyFamily, keys: readonly K[], now: Date): K[] {
  return keys.filter((key) => key.family === family && IS_PUBLISHED[keyStateOf(key, keys, now)]).sort(byAge)
}

export function expiredKeys<K extends SigningKeyRecord>(keys: readonly K[], now: Date): K[] {
  return keys.filter((key) => keyStateOf(key, keys, now) === 'expired')
}

/** The keys to be generated now. One signs at once if its family has none that signs: the first, and the successor of a compromised one. */
export function dueKeys(keys: readonly SigningKeyRecord[], now: Date): PlannedKey[] {
  return FAMILY_NAMES.flatMap((family) => {
    const newest = publishedKeys(family, keys, now).at(-1)
    if (!newest || !activeKey(family, keys, now)) return [{ family, activeFrom: now }]
    return now.getTime() - newest.activeFrom.getTime() >= ROTATION_AGE_MS ? [successorIn(family, now)] : []
  })
}

/** One pending key for each family that has none. */
export function rotationKeys(keys: readonly SigningKeyRecord[], now: Date): PlannedKey[] {
  const hasPending = (family: KeyFamily) => publishedKeys(family, keys, now).some(({ activeFrom }) => activeFrom > now)
  return FAMILY_NAMES.filter((family) => !hasPending(family)).map((family) => successorIn(family, now))
}

function successorIn(family: KeyFamily, now: Date): PlannedKey {
  return { family, activeFrom: new Date(now.getTime() + PUBLICATION_LEAD_MS) }
}

function isAfter(key: SigningKeyRecord, other: SigningKeyRecord): boolean {
  return key.family === other.family && byAge(key, other) > 0
}

function byAge(a: SigningKeyRecord, b: SigningKeyRecord): number {
  return a.activeFrom.getTime() - b.activeFrom.getTime() || (a.kid < b.kid ? -1 : Number(a.kid > b.kid))
}
