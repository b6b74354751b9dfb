import { unavailable } from '../framing/rpc-error.js'
import type { UpstreamStatus } from './head-feed.js'
import type { Refusal } from './refusal.js'

interface SyncingShown {
  readonly startingBlock: string
  readonly currentBlock: string
  readonly highestBlock: string
}

/** `eth_syncing` of the gateway: false while an upstream serves; else how far the one is that is furthest. */
export function syncingOf(statuses: Iterable<UpstreamStatus>): false | SyncingShown {
  const all = [...statuses]
  if (servingOf(all) > 0) return false
  const [furthest] = all.flatMap(({ syncing }) => syncing ?? []).toSorted((a, b) => b.currentBlock - a.currentBlock)
  if (!furthest) throw unavailable('no upstream can answer now')
  const { currentBlock, highestBlock } = furthest
  return { startingBlock: '0x0', currentBlock: quantity(currentBlock), highestBlock: quantity(highestBlock) }
}

/** How many upstreams are asked. */
export function servingOf(statuses: Iterable<UpstreamStatus>): number {
  let serving = 0
  for (const { isUsable, isOnOurChain } of statuses) if (isUsable && isOnOurChain) serving++
  return serving
}

const MUTE: ReadonlySet<Refusal['reason'] | undefined> = new Set(['silent', 'wrong-chain', 'syncing', 'lagging', 'spent'])

/** How many could say what our newest blocks hold: also those that are on another branch at the moment. */
export function voicesOf(statuses: Iterable<UpstreamStatus>): number {
  let voices = 0
  for (const { refusal } of statuses) if (!MUTE.has(refusal?.reason)) voices++
  return voices
}

function quantity(number: number): string {
  return `0x${number.toString(16)}`
}
