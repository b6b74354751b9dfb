import type { FilterState } from './filter.js'

/** A filter as it is stored: the names of its members are those of records that exist. */
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
  /** Transactions received later are new; epoch milliseconds. */
  readonly since: number
  /** Whole transactions are reported, not their hashes. */
  readonly whole?: boolean
  /** The first digits of the newest hashes reported, as the clocks of two processes differ a little. */
  readonly told: readonly string[]
}
