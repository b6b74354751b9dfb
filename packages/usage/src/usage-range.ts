import { Problem } from '@trestle/problem/problem'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const RETENTION_MONTHS = 13

interface UsageRange {
  readonly from: Date
  readonly to: Date
}

/** What a report may be of. */
export interface ReportBounds {
  readonly granularity: 'hour' | 'day'
  readonly maxDays: number
}

/** The range of a report, from the start of its first hour or day; by default the last 24 hours. */
export function rangeOf(query: { from?: string; to?: string }, now: Date, { granularity, maxDays }: ReportBounds): UsageRange {
  const to = query.to === undefined ? now : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - DAY_MS) : new Date(query.from)
  if (from >= to) throw new Problem('invalid', 'InvalidRange', '`from` must be before `to`.')
  if (to.getTime() - from.getTime() > maxDays * DAY_MS)
    throw new Problem('invalid', 'InvalidRange', `A report by ${granularity} has at most ${maxDays} days.`)
  const ms = from.getTime()
  return { from: new Date(granularity === 'hour' ? hourOf(ms) : ms - (ms % DAY_MS)), to }
}

/** The hour of a moment, in epoch milliseconds: hours of UTC are those of the epoch. */
export function hourOf(now: number): number {
  return now - (now % HOUR_MS)
}

/** Usage from before this may be removed. */
export function retainedSince(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - RETENTION_MONTHS, now.getUTCDate()))
}
