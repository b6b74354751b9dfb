import type { BtcConnectEnv } from '../env.js'

/** The settings of the writer. */
export interface IndexSettings {
  readonly startHeight: number
  /** The owner scripts that are indexed; empty means all. */
  readonly track: readonly Buffer[]
  readonly storeRaw: boolean
  /** An empty index is loaded in bulk when the node has at least so many blocks. */
  readonly bulkMinBlocks: number
  /** Memory for the rows of a range; used twice, because one range is filled while another is committed. */
  readonly rangeBytes: number
  /** Connections that merge, and the memory that Postgres may use for each. */
  readonly bulkWorkers: number
  readonly bulkMemoryMb: number
  /** How many of the newest blocks can be disconnected quickly. */
  readonly undoBlocks: number
}

/** `@Inject(INDEX_SETTINGS) settings: IndexSettings` injects them. */
export const INDEX_SETTINGS = Symbol('INDEX_SETTINGS')

const RANGE_BYTES = 24 * 1024 * 1024
const UNDO_BLOCKS = 300
/** How many of these the load keeps: deeper reorganizations are too rare to pay for in every load. */
export const BULK_UNDO_BLOCKS = 30

/**
 * No reorganization of any chain was ever nearly as deep. A node that demands a deeper one follows other rules, or another network,
 * and must not cost us the index.
 */
export const MAX_REORG_DEPTH = 10_000

type Env = Pick<BtcConnectEnv, 'START_HEIGHT' | 'TRACK' | 'STORE_RAW' | 'BULK_MIN_BLOCKS' | 'BULK_WORKERS' | 'BULK_MEMORY_MB'>

export function settingsOf(env: Env): IndexSettings {
  return {
    startHeight: env.START_HEIGHT,
    track: env.TRACK,
    storeRaw: env.STORE_RAW,
    bulkMinBlocks: env.BULK_MIN_BLOCKS,
    rangeBytes: RANGE_BYTES,
    bulkWorkers: env.BULK_WORKERS,
    bulkMemoryMb: env.BULK_MEMORY_MB,
    undoBlocks: UNDO_BLOCKS,
  }
}
