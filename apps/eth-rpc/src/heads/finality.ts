import type { FinalityRule } from '@trestle/contracts/chains/chain'

/** How far below the head a block is final; undefined where the nodes report it. */
export function depthOf(finality: FinalityRule): number | undefined {
  if (finality === 'instant') return 0
  return typeof finality === 'string' ? undefined : finality.depth
}

/** Seconds between a block and its finality, in a usual hour. */
const USUAL_SECONDS = { nodes: 60, beacon: 20 * 60, l1: 30 * 60, milestones: 60, instant: 0 } satisfies Record<
  Extract<FinalityRule, string>,
  number
>

export const MIN_HELD_BLOCKS = 256
// Blocks that may still change, and some that may not.
const BELOW_FINAL = 128
/** Fast chains have thousands before one is final, of which callers ask for the newest. */
const MAX_REPORTED = 1_024
const MAX_HELD_BLOCKS = 4_096

/** How many of our newest blocks are held: those that may still change, as far as that is reasonable. */
export function blocksToHold(finality: FinalityRule, blockSeconds: number): number {
  const depth = depthOf(finality)
  const unsettled = depth ?? Math.min(MAX_REPORTED, usualSeconds(finality) / blockSeconds)
  return Math.min(MAX_HELD_BLOCKS, Math.max(MIN_HELD_BLOCKS, Math.ceil(unsettled) + BELOW_FINAL))
}

function usualSeconds(finality: FinalityRule): number {
  return typeof finality === 'string' ? USUAL_SECONDS[finality] : 0
}

/** What nodes report of one tag counts up to where more than half of those that know it are. */
export function agreedNumber(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => b - a)[Math.floor(numbers.length / 2)]
}
