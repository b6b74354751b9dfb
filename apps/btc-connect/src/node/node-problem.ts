import { Problem, retryAfter } from '@trestle/problem/problem'
import { BadBlock, ChainMoved, NodeOnWrongNetwork, NodePruned, NodeRefusal, NodeUnreachable } from './node-errors.js'

const PASSING = [NodeUnreachable, NodeOnWrongNetwork, BadBlock, NodePruned, ChainMoved]

/** What the node's state means to a caller, or undefined when the error is about something else. */
export function nodeProblem(error: unknown): Problem | undefined {
  if (!PASSING.some((type) => error instanceof type)) return undefined
  return new Problem('unavailable', 'NodeUnavailable', 'The node cannot be asked at the moment; try again.', {
    cause: error,
    headers: retryAfter(5),
  })
}

/** A refusal in the words of the node, as Insight passes them on; any other error as it is. */
export function refusalProblem(error: unknown, code: string): unknown {
  if (!(error instanceof NodeRefusal)) return error
  return new Problem('invalid', code, refusalText(error))
}

export function refusalText({ code, message }: Pick<NodeRefusal, 'code' | 'message'>): string {
  return `${message.replace(/\.$/, '')}. Code:${code}`
}
