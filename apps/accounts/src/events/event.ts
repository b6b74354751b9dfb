import type { Activity } from '@trestle/contracts/activity'
import { storableJson } from '@trestle/messaging/storable-json'
import { Problem } from '@trestle/problem/problem'
import { EVENT_TABLE, storableTime } from '../partitions/partition.js'

const DAY_MS = 24 * 3600_000
export const DEFAULT_LIMIT = 100

export interface EventRow {
  readonly id: string
  readonly userId: string
  readonly service: string
  readonly input: string
  readonly output: string
  readonly serviceData: string
  readonly createdAt: Date
  /** Null where the user acted for themself. */
  readonly organizationId: string | null
}

export function toRow(activity: Activity, now: Date): EventRow {
  return {
    id: activity.id.slice('event-'.length),
    userId: activity.user,
    service: activity.service,
    input: storableJson(activity.input),
    output: storableJson(activity.output),
    serviceData: storableJson(activity.serviceData),
    createdAt: storableTime(EVENT_TABLE, new Date(activity.createdAt), now),
    organizationId: activity.organization ?? null,
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
