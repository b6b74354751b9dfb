import type { FilterState } from './filter.js'

/** A filter as it is kept. */
export type FilterRecord = LogsRecord | BlocksRecord | PendingRecord

export interface LogsRecord {
  readonly kind: 'logs'
  /** As the caller gave it. */
  readonly filter: Readonly<Record<string, unknown>>
  readonly state: FilterState
}

export interface BlocksRecord {
  readonly kind: 'blocks'
  readonly state: FilterState
}

export interface PendingRecord {
  readonly kind: 'pending'
  /** Those that came later are new: epoch milliseconds. */
  readonly since: number
  /** The beginnings of the newest hashes that were told: the clocks of two processes are never quite the same. */
  readonly told: readonly string[]
}
