import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { isUnspendable, ownerScriptOf } from '@trestle/bitcoin/script'
import { scriptKeys } from '../index/script-keys.js'
import { trackingOf } from '../index/tracking.js'

/** The key of whoever owns an output with this script; undefined where nobody can spend it, or nobody the index is about. */
export function ownersOf(secret: Buffer, track: readonly string[], rules: ChainRules): (script: Buffer) => string | undefined {
  const keyOf = scriptKeys(secret)
  const tracking = trackingOf(track, secret, rules)
  return (script) => {
    if (isUnspendable(script)) return undefined
    const key = keyOf(ownerScriptOf(script))
    return tracking.isTracked(key) ? key.toString('hex') : undefined
  }
}
