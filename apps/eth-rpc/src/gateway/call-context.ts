import type { CallSignal } from '../call-signal.js'
import type { CallOutcome } from '../framing/outcome.js'
import type { LiveProject } from '../projects/live-project.js'

/** What a call needs to know of the connection it came by. */
export interface CallContext {
  readonly project: LiveProject
  /** Aborted when nobody waits any more; made when it is asked for. */
  readonly signal: CallSignal
  /** Of a connection that can be told something later. */
  readonly subscriptions?: Subscriber
}

export interface Subscriber {
  subscribe(params: readonly unknown[]): CallOutcome | Promise<CallOutcome>
  unsubscribe(params: readonly unknown[]): CallOutcome
}
