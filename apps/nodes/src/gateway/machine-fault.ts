import type { TransportFaultKind } from '@trestle/gateway/upstream/transport-fault'
import { Problem, retryAfter } from '@trestle/problem/problem'

type MachineFaultKind =
  | TransportFaultKind
  /** It refuses the password of the gateway. */
  | 'locked'
  | 'busy'

/** Why a machine gave no answer. It never contains the address. */
export class MachineFault extends Error {
  override readonly name = 'MachineFault'

  constructor(readonly kind: MachineFaultKind) {
    super(kind)
  }

  /** The caller left, or asked for too much: no sign of the machine's health. */
  get isOfCaller(): boolean {
    return this.kind === 'aborted' || this.kind === 'too-large'
  }
}

const broken = () => new Problem('bad-upstream', 'NodeFailed', 'The node closed the connection before it had answered.')

const PROBLEMS: Record<MachineFaultKind, () => Problem> = {
  unreachable: () =>
    new Problem('bad-upstream', 'NodeUnreachable', 'The node cannot be reached at the moment.', { headers: retryAfter(1) }),
  reset: broken,
  malformed: broken,
  timeout: () => new Problem('upstream-timeout', 'NodeTimeout', 'The node did not answer in time.'),
  'too-large': () => new Problem('bad-upstream', 'AnswerTooLarge', 'The answer of the node is too large.'),
  locked: () => new Problem('bad-upstream', 'NodeLocked', 'The node refuses the password of the gateway.'),
  busy: () => new Problem('unavailable', 'NodeBusy', 'The node is busy.', { headers: retryAfter(1) }),
  aborted: () => new Problem('bad-upstream', 'NodeFailed', 'The call was cancelled.'),
}

export function problemOfFault({ kind }: MachineFault): Problem {
  return PROBLEMS[kind]()
}
