import { Problem, retryAfter } from '@trestle/problem/problem'

export type FaultKind = 'unreachable' | 'broken' | 'timeout' | 'too-large' | 'locked' | 'busy' | 'aborted'

/** Why a machine gave no answer. It never contains the address. */
export class MachineFault extends Error {
  override readonly name = 'MachineFault'

  constructor(readonly kind: FaultKind) {
    super(kind)
  }
}

const PROBLEMS: Record<FaultKind, () => Problem> = {
  unreachable: () =>
    new Problem('bad-upstream', 'NodeUnreachable', 'The node cannot be reached at the moment.', { headers: retryAfter(1) }),
  broken: () => new Problem('bad-upstream', 'NodeDisconnected', 'The node closed the connection before it had answered.'),
  timeout: () => new Problem('upstream-timeout', 'NodeTimeout', 'The node did not answer in time.'),
  'too-large': () => new Problem('bad-upstream', 'AnswerTooLarge', 'The answer of the node is too large.'),
  locked: () => new Problem('bad-upstream', 'NodeLocked', 'The node refuses the password of the gateway.'),
  busy: () => new Problem('unavailable', 'NodeBusy', 'The node is busy.', { headers: retryAfter(1) }),
  aborted: () => new Problem('bad-upstream', 'NodeDisconnected', 'The call was cancelled.'),
}

export function problemOfFault({ kind }: MachineFault): Problem {
  return PROBLEMS[kind]()
}
