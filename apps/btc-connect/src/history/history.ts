/** A transaction of a history: in a block, where it has an id, or in the mempool. */
export interface HistoryEntry {
  readonly txid: Buffer
  readonly txId?: number
}

/** From the first, counted from the newest, to the one before the second. */
export interface HistoryRange {
  readonly from: number
  readonly to: number
}

export interface HistoryPage {
  /** How many entries the whole history has. */
  readonly total: number
  readonly entries: readonly HistoryEntry[]
}

/** The part of a range that lies behind the first `count`, counted from there. */
export function rangeAfter({ from, to }: HistoryRange, count: number): HistoryRange {
  return { from: Math.max(0, from - count), to: Math.max(0, to - count) }
}

/** Of a history of `count` entries with the positions 0 (the oldest) to count - 1: the positions of a range counted from the newest. */
export function positionsOf({ from, to }: HistoryRange, count: number): Slice {
  return { low: Math.max(0, count - to), high: Math.max(0, count - from) }
}

/** Positions from `low` on, below `high`. */
export interface Slice {
  readonly low: number
  readonly high: number
}
