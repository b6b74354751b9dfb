import { RETENTION_MS } from './event.js'

/** A month of events: a separate table, so that deleting it is one DROP TABLE. */
export interface Partition {
  readonly name: string
  readonly from: Date
  readonly to: Date
}

const MONTHS_AHEAD = 2

/** From the month of the oldest retained event to two months ahead, so that a replica that is late with its job loses nothing. */
export function requiredPartitions(now: Date): Partition[] {
  const oldest = new Date(now.getTime() - RETENTION_MS)
  const count = monthsBetween(oldest, now) + MONTHS_AHEAD + 1
  return Array.from({ length: count }, (_, index) => partitionOf(oldest.getUTCFullYear(), oldest.getUTCMonth() + index))
}

/** The partitions whose newest event is past its retention; a table with any other name is not ours. */
export function expiredPartitions(names: readonly string[], now: Date): Partition[] {
  const oldest = new Date(now.getTime() - RETENTION_MS)
  return names.flatMap((name) => parsePartition(name) ?? []).filter(({ to }) => to <= oldest)
}

function parsePartition(name: string): Partition | undefined {
  const [, year, month] = /^event_(\d{4})_(0[1-9]|1[0-2])$/.exec(name) ?? []
  return year && month ? partitionOf(Number(year), Number(month) - 1) : undefined
}

function partitionOf(year: number, month: number): Partition {
  const from = new Date(Date.UTC(year, month))
  const name = `event_${from.toISOString().slice(0, 7).replace('-', '_')}`
  return { name, from, to: new Date(Date.UTC(year, month + 1)) }
}

function monthsBetween(from: Date, to: Date): number {
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
}
