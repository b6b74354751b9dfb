import { messageOf } from '@trestle/problem/thrown'
import { z } from 'zod'
import type { ChainTip } from '../node/block-source.js'
import { BadBlock, ChainMoved, NodeOnWrongNetwork, NodePruned, NodeUnreachable } from '../node/node-errors.js'

export const ConditionName = z.enum([
  'starting',
  'syncing',
  'finished',
  'node-unreachable',
  'wrong-network',
  'node-pruned',
  'bad-block',
  'deep-reorg',
])

/** The state of the writer. */
export interface WriterCondition {
  readonly name: z.infer<typeof ConditionName>
  readonly detail?: string
}

/** The node's chain forks from ours so far below the tip that something else must be wrong. */
export class DeepReorg extends Error {
  override readonly name = 'DeepReorg'
}

const CONDITIONS = [
  [NodeUnreachable, 'node-unreachable'],
  [NodeOnWrongNetwork, 'wrong-network'],
  [NodePruned, 'node-pruned'],
  [BadBlock, 'bad-block'],
  [DeepReorg, 'deep-reorg'],
  // The index does not have the node's newest blocks yet.
  [ChainMoved, 'syncing'],
] as const

/** The condition that an error of the node causes; undefined for any other error. */
export function conditionOf(error: unknown): WriterCondition | undefined {
  const [, name] = CONDITIONS.find(([kind]) => error instanceof kind) ?? []
  return name && { name, detail: messageOf(error) }
}

/** The condition of an index at this height: finished when it has every block of the node, and the node has the whole chain. */
export function progressTo(height: number, { height: nodeHeight, goal }: Pick<ChainTip, 'height' | 'goal'>): WriterCondition {
  if (goal !== undefined) return { name: 'syncing', detail: `The node itself has ${nodeHeight} of ${goal} blocks so far.` }
  if (height === nodeHeight) return { name: 'finished' }
  if (height < nodeHeight) return { name: 'syncing' }
  return { name: 'syncing', detail: `The node is at block ${nodeHeight}, the index at ${height} of the same chain.` }
}
