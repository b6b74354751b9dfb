import { createHash } from 'node:crypto'
import { scriptOfAddress } from '@trestle/bitcoin/address'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { ownerScriptOf } from '@trestle/bitcoin/script'
import { scriptKeys } from './script-keys.js'

/** Which owners the index is about. */
export interface Tracking {
  isTracked(scriptKey: Buffer): boolean
}

const EVERYTHING: Tracking = { isTracked: () => true }

/** These addresses, or everything where there are none. */
export function trackingOf(addresses: readonly string[], secret: Buffer, rules: ChainRules): Tracking {
  if (addresses.length === 0) return EVERYTHING
  const keyOf = scriptKeys(secret)
  const tracked = new Set(addresses.map((address) => keyOf(ownerScriptOf(scriptOfAddress(address, rules))).toString('latin1')))
  return { isTracked: (key) => tracked.has(key.toString('latin1')) }
}

/** Tells one choice of addresses from another, whatever their order and spelling; undefined: everything. */
export function trackingDigest(addresses: readonly string[], rules: ChainRules): Buffer | undefined {
  if (addresses.length === 0) return undefined
  const scripts = addresses.map((address) => scriptOfAddress(address, rules).toString('hex'))
  return createHash('sha256')
    .update([...new Set(scripts)].sort().join())
    .digest()
}
