import { isUnspendable, ownerScriptOf } from '@trestle/bitcoin/script'
import { scriptKeys } from '../index/script-keys.js'
import { trackingOf } from '../index/tracking.js'

/** The key of the owner of an output; undefined if it cannot be spent or its owner is not tracked. */
export function ownersOf(secret: Buffer, track: readonly Buffer[]): (script: Buffer) => string | undefined {
  const keyOf = scriptKeys(secret)
  const tracking = trackingOf(track)
  return (script) => {
    if (isUnspendable(script)) return undefined
    const owner = ownerScriptOf(script)
    return tracking.isTracked(owner) ? keyOf(owner).toString('hex') : undefined
  }
}
