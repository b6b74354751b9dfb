import type { ChainChange, ChainFinality } from '../heads/followed-chain.js'
import type { BlockLogs, UpstreamStatus } from '../heads/head-feed.js'
import type { SpentUnits } from '../upstreams/budgets/budget.js'
import type { UpstreamConfig } from '../upstreams/upstream-config.js'

/** Sent to a worker only while it has listeners. */
export type TopicName = 'logs' | 'pending' | 'syncing'

/** What a worker knows of the chain besides its blocks. */
export interface HeadState {
  readonly finality: ChainFinality
  readonly upstreams: readonly UpstreamStatus[]
}

/** What the primary process reports of the chain, in the order in which it happens. */
export type HeadMessage =
  /** The first one has all that is known of the chain. */
  | { readonly type: 'change'; readonly change: ChainChange; readonly state: HeadState }
  | { readonly type: 'state'; readonly state: HeadState }
  /** Of all upstreams, before a state that shows them. */
  | { readonly type: 'upstreams'; readonly configs: readonly UpstreamConfig[] }
  | { readonly type: 'logs'; readonly logs: BlockLogs }
  | { readonly type: 'pending'; readonly hashes: readonly string[] }
  | { readonly type: 'syncing'; readonly syncing: unknown }

export type WorkerReportKind = 'readiness' | 'metrics'

export type ToWorker =
  | HeadMessage
  /** What the primary process has asked of upstreams with a budget, in all. */
  | { readonly type: 'spent'; readonly process: string; readonly spent: readonly SpentUnits[] }
  | { readonly type: 'stop' }
  | { readonly type: 'report'; readonly id: number; readonly kind: WorkerReportKind }

export type ToPrimary =
  /** The first message: it needs the chain from here on. */
  | { readonly type: 'follow' }
  | { readonly type: 'hasten'; readonly number: number }
  | { readonly type: 'topic'; readonly topic: TopicName; readonly on: boolean }
  /** It serves. */
  | { readonly type: 'up' }
  /** What all but the primary process have asked of upstreams with a budget. */
  | { readonly type: 'budgets'; readonly used: readonly SpentUnits[] }
  | { readonly type: 'reported'; readonly id: number; readonly report: unknown }

/** Node's own messages, and those of libraries, go over the same channel. */
export interface Envelope<M> {
  readonly trestle: M
}

export function messageIn<M>(message: unknown): M | undefined {
  return typeof message === 'object' && message !== null && 'trestle' in message ? (message as Envelope<M>).trestle : undefined
}
