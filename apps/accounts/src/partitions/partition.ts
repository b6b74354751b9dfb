const DAY_MS = 24 * 3600_000
const MINUTE_MS = 60_000

/** A table that is partitioned by month, and how long it keeps its rows. */
export interface PartitionedTable {
  readonly name: 'event' | 'security_event'
  readonly retentionMs: number
}

export const EVENT_TABLE: PartitionedTable = { name: 'event', retentionMs: 90 * DAY_MS }

export function securityEventTable({ SECURITY_LOG_DAYS }: { readonly SECURITY_LOG_DAYS: number }): PartitionedTable {
  return { name: 'security_event', retentionMs: SECURITY_LOG_DAYS * DAY_MS }
}

/** A month of rows: a separate table, so that deleting it is one DROP TABLE. */
export interface Partition {
  readonly name: string
  readonly from: Date
  readonly to: Date
}

const MONTHS_AHEAD = 2

/** From the month of the oldest retained row to two months ahead, so that a replica that is late with its job loses nothing. */
export function requiredPartitions(table: PartitionedTable, now: Date): Partition[] {
  const oldest = oldestOf(table, now)
  const count = monthsBetween(oldest, now) + MONTHS_AHEAD + 1
  return Array.from({ length: count }, (_, index) => partitionOf(table, oldest.getUTCFullYear(), oldest.getUTCMonth() + index))
}

/** The partitions whose newest row is past its retention; a table with any other name is not ours. */
export function expiredPartitions(table: PartitionedTable, names: readonly string[], now: Date): Partition[] {
  const oldest = oldestOf(table, now)
  return names.flatMap((name) => parsePartition(table, name) ?? []).filter(({ to }) => to <= oldest)
}

/** A time as the table can store it: within the existing partitions, however late a message is or wrong its service's clock. */
export function storableTime(table: PartitionedTable, time: Date, now: Date): Date {
  const oldest = oldestOf(table, now)
  const latest = new Date(now.getTime() + 5 * MINUTE_MS)
  if (time < oldest) return oldest
  return time > latest ? latest : time
}

function oldestOf({ retentionMs }: PartitionedTable, now: Date): Date {
  return new Date(now.getTime() - retentionMs)
}

function parsePartition(table: PartitionedTable, name: string): Partition | undefined {
  const [, prefix, year, month] = /^(\w+)_(\d{4})_(0[1-9]|1[0-2])$/.exec(name) ?? []
  return prefix === table.name && year && month ? partitionOf(table, Number(year), Number(month) - 1) : undefined
}

function partitionOf(table: PartitionedTable, year: number, month: number): Partition {
  const from = new Date(Date.UTC(year, month))
  const name = `${table.name}_${from.toISOString().slice(0, 7).replace('-', '_')}`
  return { name, from, to: new Date(Date.UTC(year, month + 1)) }
}

function monthsBetween(from: Date, to: Date): number {
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
}
