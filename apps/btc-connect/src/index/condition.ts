import type { ChainTip } from '../node/block-source.js'
import { BadBlock, ChainMoved, NodePruned, NodeUnreachable, WrongNetwork } from '../node/node-errors.js'

/** How the writer is doing. */
export interface Condition {
  readonly name: 'starting' | 'syncing' | 'finished' | 'node-unreachable' | 'wrong-network' | 'node-pruned' | 'bad-block' | 'deep-reorg'
  readonly detail?: string
}

/** The node left our chain so far below its end that something else must be wrong. */
export class DeepReorg extends Error {
  override readonly name = 'DeepReorg'
}

const CONDITIONS = [
  [NodeUnreachable, 'node-unreachable'],
  [WrongNetwork, 'wrong-network'],
  [NodePruned, 'node-pruned'],
  [BadBlock, 'bad-block'],
  [DeepReorg, 'deep-reorg'],
  // Whatever it is, the index does not have it.
  [ChainMoved, 'syncing'],
] as const

/** What an error tells people about the node; undefined for one that tells nothing. */
export function conditionOf(error: unknown): Condition | undefined {
  const [, name] = CONDITIONS.find(([kind]) => error instanceof kind) ?? []
  return name && { name, detail: (error as Error).message }
}

/** Whether the index has all the node has, and the node the whole chain. */
export function progressTo(height: number, { height: nodeHeight, goal }: Pick<ChainTip, 'height' | 'goal'>): Condition {
  if (goal !== undefined) return { name: 'syncing', detail: `The node itself has ${nodeHeight} of ${goal} blocks so far.` }
  if (height === nodeHeight) return { name: 'finished' }
  if (height < nodeHeight) return { name: 'syncing' }
  return { name: 'syncing', detail: `The node is at block ${nodeHeight}, the index at ${height} of the same chain.` }
}
