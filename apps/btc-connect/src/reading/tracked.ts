import { ownerScriptOf } from '@trestle/bitcoin/script'
import { trackingOf } from '../index/tracking.js'
import { notTracked } from './refusals.js'

/** Refuses what an index of some owners only knows nothing about: zeros would be a wrong answer. */
export function requireTracked(track: readonly Buffer[]): (script: Buffer) => void {
  const tracking = trackingOf(track)
  return (script) => {
    if (!tracking.isTracked(ownerScriptOf(script))) throw notTracked()
  }
}
