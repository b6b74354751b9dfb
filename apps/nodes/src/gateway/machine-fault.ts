import { Problem, retryAfter } from '@trestle/problem/problem'

export type FaultKind = 'unreachable' | 'broken' | 'timeout' | 'too-large' | 'locked' | 'busy' | 'aborted'

/** Why a machine gave no answer. Nothing of its address is ever in it. */
export class MachineFault extends Error {
  override readonly name = 'MachineFault'

  constructor(readonly kind: FaultKind) {
    super(kind)
  }
}

const PROBLEMS: Record<FaultKind, () => Problem> = {
  unreachable: () =>
    new Problem('bad-upstream', 'NodeUnreachable', 'The node cannot be reached at the moment.', { headers: retryAfter(1) }),
  broken: () => new Problem('bad-upstream', 'NodeFailed', 'The node failed before it had answered.'),
  timeout: () => new Problem('upstream-timeout', 'NodeTimeout', 'The node did not answer in time.'),
  'too-large': () => new Problem('bad-upstream', 'AnswerTooLarge', 'The answer of the node is larger than is passed on.'),
  locked: () => new Problem('bad-upstream', 'NodeLocked', 'The node does not let the gateway in.'),
  busy: () => new Problem('unavailable', 'NodeBusy', 'The node is at too many calls.', { headers: retryAfter(1) }),
  aborted: () => new Problem('bad-upstream', 'NodeFailed', 'The call was given up.'),
}

export function problemOfFault({ kind }: MachineFault): Problem {
  return PROBLEMS[kind]()
}
