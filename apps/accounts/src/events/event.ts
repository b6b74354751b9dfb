import type { Activity } from '@trestle/contracts/activity'
import { storableJson } from '@trestle/messaging/storable-json'
import { Problem } from '@trestle/problem/problem'

const DAY_MS = 24 * 3600_000
const MINUTE_MS = 60_000
export const RETENTION_MS = 90 * DAY_MS
export const DEFAULT_LIMIT = 100

export interface EventRow {
  readonly id: string
  readonly userId: string
  readonly service: string
  readonly input: string
  readonly output: string
  readonly serviceData: string
  readonly createdAt: Date
}

/** The row of an activity. Its time is clamped to the existing partitions, however late the message is or wrong its service's clock. */
export function toRow(activity: Activity, now: Date): EventRow {
  return {
    id: activity.id.slice('event-'.length),
    userId: activity.user,
    service: activity.service,
    input: storableJson(activity.input),
    output: storableJson(activity.output),
    serviceData: storableJson(activity.serviceData),
    createdAt: clamp(new Date(activity.createdAt), new Date(now.getTime() - RETENTION_MS), new Date(now.getTime() + 5 * MINUTE_MS)),
  }
}

interface RequestedRange {
  from?: string
  to?: string
}

/** The requested time range, by default the last 24 hours; a date without a time means the whole day, in UTC. */
export function eventRange({ from, to }: RequestedRange, now: Date): { from: Date; to: Date } {
  const end = to === undefined ? now : endOf(to)
  const start = from === undefined ? new Date(end.getTime() - DAY_MS) : new Date(from)
  if (start > end) throw new Problem('invalid', 'InvalidRange', '`from` must not be after `to`.')
  return { from: start, to: end }
}

function endOf(to: string): Date {
  const isDate = to.length === 'YYYY-MM-DD'.length
  return new Date(new Date(to).getTime() + (isDate ? DAY_MS - 1 : 0))
}

function clamp(time: Date, earliest: Date, latest: Date): Date {
  if (time < earliest) return earliest
  return time > latest ? latest : time
}
