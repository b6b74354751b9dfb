import { TOKEN_KINDS } from '@trestle/auth/claims'
import type { PublicJwk } from '@trestle/contracts/accounts/discovery'

/** Each family of keys signs one kind of token, so that no token can pass for one of another kind. */
export const FAMILIES = {
  ...TOKEN_KINDS,
  refresh: { typ: 'rt+jwt', lifetimeSeconds: 365 * 24 * 3600 },
} as const
export type Family = keyof typeof FAMILIES
export const FAMILY_NAMES = Object.keys(FAMILIES) as Family[]

export interface SigningKey {
  readonly kid: string
  readonly family: Family
  readonly publicJwk: PublicJwk
  readonly createdAt: Date
  /** Until then the key is only published; from then on it signs, until a newer one does. */
  readonly activeFrom: Date
}

export type KeyState = 'pending' | 'active' | 'retired' | 'expired'

export interface NewKey {
  readonly family: Family
  readonly activeFrom: Date
}

const MINUTE_MS = 60_000
// Verifiers of others keep a fetched key set for 10 minutes before they look again (jose, jwks-rsa).
const PUBLISHED_AHEAD_MS = 15 * MINUTE_MS
const ROTATED_AFTER_MS = 90 * 24 * 60 * MINUTE_MS
// Clocks may differ by this much.
const TOLERANCE_MS = 5 * MINUTE_MS

/** Where a key stands in its life: it follows from the dates of its family's keys, so no replica has to write it down. */
export function stateOf(key: SigningKey, keys: readonly SigningKey[], now: Date): KeyState {
  if (key.activeFrom > now) return 'pending'
  const successor = keys.filter((other) => isAfter(other, key) && other.activeFrom <= now).sort(byAge)[0]
  if (!successor) return 'active'
  const lastTokenExpires = successor.activeFrom.getTime() + FAMILIES[key.family].lifetimeSeconds * 1000
  return now.getTime() < lastTokenExpires + TOLERANCE_MS ? 'retired' : 'expired'
}

/** The key that signs now. */
export function activeKey<K extends SigningKey>(family: Family, keys: readonly K[], now: Date): K | undefined {
  return keys.find((key) => key.family === family && stateOf(key, keys, now) === 'active')
}

/** The keys a verifier must know: those that will sign, the one that signs, and those whose tokens still live. */
export function publishedKeys<K extends SigningKey>(family: Family, keys: readonly K[], now: Date): K[] {
  return keys.filter((key) => key.family === family && stateOf(key, keys, now) !== 'expired').sort(byAge)
}

export function expiredKeys<K extends SigningKey>(keys: readonly K[], now: Date): K[] {
  return keys.filter((key) => stateOf(key, keys, now) === 'expired')
}

/** The keys that are wanted: the first of a family signs at once, for nobody can know an older one. */
export function dueKeys(keys: readonly SigningKey[], now: Date): NewKey[] {
  return FAMILY_NAMES.flatMap((family) => {
    const newest = keys
      .filter((key) => key.family === family)
      .sort(byAge)
      .at(-1)
    if (!newest) return [{ family, activeFrom: now }]
    return now.getTime() - newest.activeFrom.getTime() >= ROTATED_AFTER_MS ? [successorIn(family, now)] : []
  })
}

/** One pending key a family; where one is pending already, it is the one. */
export function rotationKeys(keys: readonly SigningKey[], now: Date): NewKey[] {
  const hasPending = (family: Family) => keys.some((key) => key.family === family && key.activeFrom > now)
  return FAMILY_NAMES.filter((family) => !hasPending(family)).map((family) => successorIn(family, now))
}

function successorIn(family: Family, now: Date): NewKey {
  return { family, activeFrom: new Date(now.getTime() + PUBLISHED_AHEAD_MS) }
}

function isAfter(key: SigningKey, other: SigningKey): boolean {
  return key.family === other.family && byAge(key, other) > 0
}

function byAge(a: SigningKey, b: SigningKey): number {
  return a.activeFrom.getTime() - b.activeFrom.getTime() || (a.kid < b.kid ? -1 : Number(a.kid > b.kid))
}
