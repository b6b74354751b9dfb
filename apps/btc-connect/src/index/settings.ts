import type { BtcConnectEnv } from '../env.js'

/** What the writer is told to do. */
export interface IndexSettings {
  readonly startHeight: number
  /** The owners that are indexed, by their scripts; none of them means everybody. */
  readonly track: readonly Buffer[]
  readonly storeRaw: boolean
  /** An empty index that has at least so many blocks before it is loaded in bulk. */
  readonly bulkMinBlocks: number
  /** What the load keeps in memory of the rows to come, twice: one range is filled while another is on its way. */
  readonly rangeBytes: number
  /** Connections that merge, and the memory that Postgres may use for each. */
  readonly bulkWorkers: number
  readonly bulkMemoryMb: number
  /** The newest blocks that can be taken back quickly. */
  readonly undoBlocks: number
}

/** Injects them: `@Inject(INDEX_SETTINGS) settings: IndexSettings`. */
export const INDEX_SETTINGS = Symbol('INDEX_SETTINGS')

const RANGE_BYTES = 24 * 1024 * 1024
export const UNDO_BLOCKS = 300
/** Of these the load itself keeps the newest: further back a reorganisation is too rare to pay for it with every load. */
export const BULK_UNDO_BLOCKS = 30

/**
 * No reorganisation of any chain was ever nearly as deep. A node that wants this much taken back follows other rules (or was set up
 * for another network since), and should not cost us the index.
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
