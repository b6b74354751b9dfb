import type { ChainBlock } from './followed-chain.js'
import { timestampOf } from './header.js'

/** How fast a chain makes blocks, by its record. */
export interface ChainPace {
  readonly blockSeconds: number
}

/** Luck, and chains that catch up after a pause. */
const MAX_FASTER = 4
const MAX_AHEAD_AT_ONCE = 16
/** Clocks differ. */
const MAX_FUTURE_SECONDS = 60

/** Whether the chain can have got from our head to this block. */
export function isPlausible(head: ChainBlock, ours: ChainBlock, pace: ChainPace | undefined, now: number): boolean {
  const ahead = head.number - ours.number
  if (!pace || ahead <= 0) return true
  const [then, made] = [timestampOf(ours), timestampOf(head)]
  if (made < then || made > now + MAX_FUTURE_SECONDS) return false
  return ahead <= MAX_AHEAD_AT_ONCE + (MAX_FASTER * (made - then)) / pace.blockSeconds
}
