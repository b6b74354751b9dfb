import type { CallSignal } from '../call-signal.js'
import type { CallOutcome } from '../framing/outcome.js'
import type { LiveProject } from '../projects/live-project.js'
import type { QuorumRule } from '../quorum/quorum-rule.js'

/** What a call needs of the connection it came by. */
export interface CallContext {
  readonly project: LiveProject
  /** Left out: the answer of one node is enough. */
  readonly quorum?: QuorumRule
  /** Of the HTTP request, or of the one that opened the WebSocket. */
  readonly requestId: string
  /** Of the caller; behind proxies it costs time to find out. */
  address(): string
  /** Of whom its token says that it calls, if it is one of the project's identity provider. */
  caller(): string | undefined
  /** Aborted when the caller is gone; created on first use. */
  readonly signal: CallSignal
  /** Of a connection that can be sent notifications. */
  readonly subscriptions?: Subscriber
}

export interface Subscriber {
  subscribe(params: readonly unknown[]): CallOutcome | Promise<CallOutcome>
  unsubscribe(params: readonly unknown[]): CallOutcome
}
