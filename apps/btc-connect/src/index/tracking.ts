import { createHash } from 'node:crypto'

/** The owners that are indexed. */
export interface Tracking {
  isTracked(ownerScript: Buffer): boolean
}

const EVERY_OWNER: Tracking = { isTracked: () => true }

/** These owners, or all if there are none. */
export function trackingOf(track: readonly Buffer[]): Tracking {
  if (track.length === 0) return EVERY_OWNER
  const tracked = new Set(track.map(nameOf))
  return { isTracked: (ownerScript) => tracked.has(nameOf(ownerScript)) }
}

/** Identifies a set of owners, in any order; undefined for all owners. */
export function trackingDigest(track: readonly Buffer[]): Buffer | undefined {
  if (track.length === 0) return undefined
  const scripts = new Set(track.map((script) => script.toString('hex')))
  return createHash('sha256')
    .update([...scripts].sort().join())
    .digest()
}

function nameOf(script: Buffer): string {
  return script.toString('latin1')
}
