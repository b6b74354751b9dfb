import { scriptOfAddress } from '@trestle/bitcoin/address'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { notFollowed } from './refusals.js'

/** Refuses what an index of some addresses only knows nothing about: zeros would be a wrong answer. */
export function refuseOthers(track: readonly string[], rules: ChainRules): (script: Buffer) => void {
  const followed = new Set(track.map((address) => scriptOfAddress(address, rules).toString('hex')))
  return (script) => {
    if (followed.size > 0 && !followed.has(script.toString('hex'))) throw notFollowed()
  }
}
