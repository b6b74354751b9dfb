import { Problem } from '@trestle/problem/problem'
import { hourOf } from './usage-book.js'

const DAY_MS = 86_400_000
const MAX_DAYS = { hour: 7, day: 100 } as const
const RETENTION_MONTHS = 13

export type Granularity = keyof typeof MAX_DAYS

export interface UsageRange {
  readonly from: Date
  readonly to: Date
  readonly granularity: Granularity
}

/** The range asked for, from the beginning of its first hour or day; by default the last 24 hours. */
export function rangeOf(query: { from?: string; to?: string; granularity: Granularity }, now: Date): UsageRange {
  const { granularity } = query
  const to = query.to === undefined ? now : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - DAY_MS) : new Date(query.from)
  if (from >= to) throw new Problem('invalid', 'InvalidRange', '`from` must be before `to`.')
  if (to.getTime() - from.getTime() > MAX_DAYS[granularity] * DAY_MS)
    throw new Problem('invalid', 'InvalidRange', `By the ${granularity} at most ${MAX_DAYS[granularity]} days are told at once.`)
  return { from: beginningOf(from, granularity), to, granularity }
}

/** What is older may go. */
export function outlivedBefore(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - RETENTION_MONTHS, now.getUTCDate()))
}

function beginningOf(time: Date, granularity: Granularity): Date {
  const ms = time.getTime()
  return new Date(granularity === 'hour' ? hourOf(ms) : ms - (ms % DAY_MS))
}
