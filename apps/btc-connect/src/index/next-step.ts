import type { ChainTip } from '../node/block-source.js'
import type { ChainEnd } from './chain-end.js'
import type { IndexSettings } from './settings.js'

/** What the writer does next at the tip. */
export type NextStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'load' }
  | { readonly kind: 'connect' }
  /** Back to a height at which both chains have the same block. */
  | { readonly kind: 'roll-back'; readonly to: number }
  /** The chains differ at the end of the shorter one: the fork has to be found. */
  | { readonly kind: 'find-fork' }

export interface ChainComparison {
  readonly ours: ChainEnd
  readonly node: ChainTip
  /** Whether the shorter of the two chains is a prefix of the other. */
  readonly agrees: boolean
}

type Limits = Pick<IndexSettings, 'startHeight' | 'bulkMinBlocks' | 'undoBlocks'>

export function nextStepAtTip({ ours, node, agrees }: ChainComparison, { startHeight, bulkMinBlocks, undoBlocks }: Limits): NextStep {
  // What the node had before it knew the length of its chain is quickly loaded again.
  const isInitial = node.goal === undefined ? !ours.hash : ours.height - startHeight + 1 < bulkMinBlocks
  if (isInitial && (node.goal ?? node.height) - ours.height >= Math.max(1, bulkMinBlocks)) return { kind: 'load' }
  if (!agrees) return { kind: 'find-fork' }
  const missing = node.height - ours.height
  if (missing > 0) return { kind: 'connect' }
  // A few blocks less: the node disconnected them. Many: it is reindexing, and will catch up again.
  if (missing < 0 && ours.hash && -missing <= undoBlocks) return { kind: 'roll-back', to: Math.max(node.height, startHeight - 1) }
  return { kind: 'wait' }
}
