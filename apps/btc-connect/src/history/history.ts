/** A transaction of a history: in a block, where it has an id, or in the mempool. */
export interface HistoryEntry {
  readonly txid: Buffer
  readonly txId?: number
}

/** Indexes from the newest entry: `from` inclusive, `to` exclusive. */
export interface HistoryRange {
  readonly from: number
  readonly to: number
}

export interface HistoryPage {
  /** How many entries the whole history has. */
  readonly total: number
  readonly entries: readonly HistoryEntry[]
}

/** The part of a range after the first `count` entries, relative to them. */
export function rangeAfter({ from, to }: HistoryRange, count: number): HistoryRange {
  return { from: Math.max(0, from - count), to: Math.max(0, to - count) }
}

/** The positions of a range in a history of `count` entries, where position 0 is the oldest. */
export function positionsOf({ from, to }: HistoryRange, count: number): Slice {
  return { low: Math.max(0, count - to), high: Math.max(0, count - from) }
}

/** Positions from `low` on, below `high`. */
export interface Slice {
  readonly low: number
  readonly high: number
}
