import { Problem } from '@trestle/problem/problem'
import { hourOf } from './usage-book.js'

const DAY_MS = 86_400_000
const MAX_DAYS = 31
const RETENTION_MONTHS = 13

export interface UsageRange {
  readonly from: Date
  readonly to: Date
}

/** The range asked for, from the beginning of its first hour; by default the last 24 hours. */
export function rangeOf(query: { from?: string; to?: string }, now: Date): UsageRange {
  const to = query.to === undefined ? now : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - DAY_MS) : new Date(query.from)
  if (from >= to) throw new Problem('invalid', 'InvalidRange', '`from` must be before `to`.')
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    throw new Problem('invalid', 'InvalidRange', `At most ${MAX_DAYS} days are told at once.`)
  return { from: new Date(hourOf(from.getTime())), to }
}

/** What is older may go. */
export function outlivedBefore(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - RETENTION_MONTHS, now.getUTCDate()))
}
