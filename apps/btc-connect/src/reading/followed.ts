import { ownerScriptOf } from '@trestle/bitcoin/script'
import { trackingOf } from '../index/tracking.js'
import { notFollowed } from './refusals.js'

/** Refuses what an index of some owners only knows nothing about: zeros would be a wrong answer. */
export function refuseOthers(track: readonly Buffer[]): (script: Buffer) => void {
  const tracking = trackingOf(track)
  return (script) => {
    if (!tracking.isTracked(ownerScriptOf(script))) throw notFollowed()
  }
}
