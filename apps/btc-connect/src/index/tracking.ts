import { createHash } from 'node:crypto'

/** Which owners the index is about. */
export interface Tracking {
  isTracked(ownerScript: Buffer): boolean
}

const EVERYBODY: Tracking = { isTracked: () => true }

/** These owners, or everybody where there are none. */
export function trackingOf(track: readonly Buffer[]): Tracking {
  if (track.length === 0) return EVERYBODY
  const tracked = new Set(track.map(nameOf))
  return { isTracked: (ownerScript) => tracked.has(nameOf(ownerScript)) }
}

/** Tells one choice of owners from another, whatever their order; undefined: everybody. */
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
