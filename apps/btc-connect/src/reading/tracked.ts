import { ownerScriptOf } from '@trestle/bitcoin/script'
import { trackingOf } from '../index/tracking.js'
import { notTracked } from './refusals.js'

/** Refuses owners that are not indexed, where zeros would be wrong. */
export function requireTracked(track: readonly Buffer[]): (script: Buffer) => void {
  const tracking = trackingOf(track)
  return (script) => {
    if (!tracking.isTracked(ownerScriptOf(script))) throw notTracked()
  }
}
