import { Problem, retryAfter } from '@trestle/problem/problem'
import { BadBlock, ChainMoved, NodeOnWrongNetwork, NodePruned, NodeRefusal, NodeUnreachable } from './node-errors.js'

const NODE_ERRORS = [NodeUnreachable, NodeOnWrongNetwork, BadBlock, NodePruned, ChainMoved]

/** What a caller is told about an error of the node; undefined for any other error. */
export function nodeProblem(error: unknown): Problem | undefined {
  if (!NODE_ERRORS.some((type) => error instanceof type)) return undefined
  return new Problem('unavailable', 'NodeUnavailable', 'The node of this chain is unavailable at the moment; try again.', {
    cause: error,
    headers: retryAfter(5),
  })
}

/** A refusal with the node's own text, as Insight passes it on; any other error unchanged. */
export function refusalProblem(error: unknown, code: string): unknown {
  if (!(error instanceof NodeRefusal)) return error
  return new Problem('invalid', code, refusalText(error))
}

function refusalText({ code, message }: Pick<NodeRefusal, 'code' | 'message'>): string {
  return `${message.replace(/\.$/, '')}. Code:${code}`
}
