import type { ChainBlock, ChainChange, FollowedChain } from './followed-chain.js'
import type { Listener, Unsubscribe } from './listeners.js'

/** What we know of an upstream. */
export interface UpstreamStatus {
  readonly name: string
  readonly head: number
  /** Its chain is the one we follow. */
  readonly isPrimary: boolean
  /** It is on the chain we follow. */
  readonly isOnOurChain: boolean
  /** It answers, is of the right chain, does not synchronize and is not far behind. */
  readonly isUsable: boolean
}

export interface LogEntry {
  readonly address: string
  readonly topics: readonly string[]
  /** The log as `eth_getLogs` shows it. */
  readonly json: string
}

/** The logs of a block that came or went. */
export interface BlockLogs {
  readonly block: ChainBlock
  readonly removed: boolean
  readonly logs: readonly LogEntry[]
}

/** Tells how the chain goes on; whoever listens to logs or pending transactions makes them be fetched. */
export abstract class HeadFeed {
  abstract readonly chain: FollowedChain
  abstract readonly upstreams: ReadonlyMap<string, UpstreamStatus>
  /** Settles once the first head is known. */
  abstract ready(): Promise<void>
  abstract onChange(listener: Listener<ChainChange>): Unsubscribe
  abstract onLogs(listener: Listener<BlockLogs>): Unsubscribe
  abstract onPending(listener: Listener<readonly string[]>): Unsubscribe
  /** False, or how far the nodes are, when they begin and when they are done. */
  abstract onSyncing(listener: Listener<unknown>): Unsubscribe
}
