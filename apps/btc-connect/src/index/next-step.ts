import type { ChainTip } from '../node/block-source.js'
import type { ChainEnd } from './chain-end.js'
import type { IndexSettings } from './settings.js'

/** What to do next at the tip. */
export type NextStep =
  | { readonly does: 'rest' }
  | { readonly does: 'load' }
  | { readonly does: 'connect' }
  /** Back to a height at which both chains are the same. */
  | { readonly does: 'roll-back'; readonly to: number }
  /** The chains differ at the end of the shorter one; where they part has to be found. */
  | { readonly does: 'find-fork' }

export interface ChainComparison {
  readonly ours: ChainEnd
  readonly node: ChainTip
  /** Whether the shorter of the two chains is the beginning of the other. */
  readonly agrees: boolean
}

type Limits = Pick<IndexSettings, 'startHeight' | 'bulkMinBlocks' | 'undoBlocks'>

export function nextStep({ ours, node, agrees }: ChainComparison, { startHeight, bulkMinBlocks, undoBlocks }: Limits): NextStep {
  // What a node had of the chain before it knew how long that is: soon read again.
  const isBeginning = node.goal === undefined ? !ours.hash : ours.height - startHeight + 1 < bulkMinBlocks
  if (isBeginning && (node.goal ?? node.height) - ours.height >= Math.max(1, bulkMinBlocks)) return { does: 'load' }
  if (!agrees) return { does: 'find-fork' }
  const behind = node.height - ours.height
  if (behind > 0) return { does: 'connect' }
  // A few blocks less: the node took them back. Many: it reads its chain anew, and will be here again.
  if (behind < 0 && ours.hash && -behind <= undoBlocks) return { does: 'roll-back', to: Math.max(node.height, startHeight - 1) }
  return { does: 'rest' }
}
