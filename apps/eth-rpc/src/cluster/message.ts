import type { ChainChange, ChainFinality } from '../heads/followed-chain.js'
import type { BlockLogs, UpstreamStatus } from '../heads/head-feed.js'

/** What is fetched for a worker only while it wants it. */
export type TopicName = 'logs' | 'pending' | 'syncing'

/** What else than the blocks belongs to what a worker knows of the chain. */
export interface HeadState {
  readonly finality: ChainFinality
  readonly upstreams: readonly UpstreamStatus[]
}

/** What the primary tells a worker of the chain, in the order in which it happens. */
export type HeadMessage =
  /** The first one begins the chain anew, with all that is known of it. */
  | { readonly type: 'change'; readonly change: ChainChange; readonly state: HeadState }
  | { readonly type: 'state'; readonly state: HeadState }
  | { readonly type: 'logs'; readonly logs: BlockLogs }
  | { readonly type: 'pending'; readonly hashes: readonly string[] }
  | { readonly type: 'syncing'; readonly syncing: unknown }

export type WorkerReportKind = 'readiness' | 'metrics'

export type ToWorker =
  | HeadMessage
  | { readonly type: 'stop' }
  | { readonly type: 'ask'; readonly id: number; readonly about: WorkerReportKind }

export type ToPrimary =
  /** First of all: from here on it wants to know of the chain. */
  | { readonly type: 'follow' }
  | { readonly type: 'want'; readonly topic: TopicName; readonly on: boolean }
  /** It serves. */
  | { readonly type: 'up' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }

/** Node's own messages, and those of libraries, go over the same channel. */
export interface Envelope<M> {
  readonly trestle: M
}

export function messageIn<M>(message: unknown): M | undefined {
  return typeof message === 'object' && message !== null && 'trestle' in message ? (message as Envelope<M>).trestle : undefined
}
