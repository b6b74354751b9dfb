import type { ChainBlock, ChainChange, FollowedChain } from './followed-chain.js'
import type { Listener, Unsubscribe } from './listeners.js'
import type { Refusal } from './refusal.js'
import type { SyncProgress } from './sync-progress.js'

/** What is known of an upstream. */
export interface UpstreamStatus {
  readonly name: string
  readonly head: number
  /** Its chain is ours. */
  readonly isPrimary: boolean
  /** It is on our chain. */
  readonly isOnOurChain: boolean
  /** It answers, has the right chain id, does not synchronize and does not lag. */
  readonly isUsable: boolean
  /** Why it is not asked. */
  readonly refusal?: Refusal
  /** While it lacks blocks by its own account. */
  readonly syncing?: Pick<SyncProgress, 'currentBlock' | 'highestBlock'>
}

export interface LogEntry {
  readonly address: string
  readonly topics: readonly string[]
  /** The log as `eth_getLogs` shows it. */
  readonly json: string
}

/** The logs of a block that was connected or disconnected. */
export interface BlockLogs {
  readonly block: ChainBlock
  readonly removed: boolean
  readonly logs: readonly LogEntry[]
}

/** Reports the changes of the chain. Logs and pending transactions are fetched only while there are listeners. */
export abstract class HeadFeed {
  abstract readonly chain: FollowedChain
  abstract readonly upstreams: ReadonlyMap<string, UpstreamStatus>
  /** An upstream has named a block that our chain does not have yet: the upstreams are asked for their heads now. */
  abstract hasten(number: number): void
  /** Settles once the first head is known. */
  abstract ready(): Promise<void>
  abstract onChange(listener: Listener<ChainChange>): Unsubscribe
  abstract onLogs(listener: Listener<BlockLogs>): Unsubscribe
  abstract onPending(listener: Listener<readonly string[]>): Unsubscribe
  /** The answer to `eth_syncing`, when it becomes false or stops being so. */
  abstract onSyncing(listener: Listener<unknown>): Unsubscribe
}
