import { Injectable } from '@nestjs/common'
import type { Activity } from '@trestle/contracts/activity'
import { Clock } from '@trestle/runtime/clock'
import { decodeCursor, encodeCursor } from '../paging/cursor.js'
import { DEFAULT_LIMIT, rangeOf, toRow } from './event.js'
import { EventsRepository } from './events.repository.js'
import { outlivedPartitions, wantedPartitions } from './partition.js'
import { PartitionsRepository } from './partitions.repository.js'

export interface ListRequest {
  readonly from?: string
  readonly to?: string
  readonly limit?: number
  readonly cursor?: string
}

export interface EventPage {
  readonly events: Activity[]
  /** The query of the page that follows, if one does. */
  readonly next?: Required<ListRequest>
}

@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly partitions: PartitionsRepository,
    private readonly clock: Clock,
  ) {}

  /** May be told of the same activity again; it is kept once. */
  async record(activities: readonly Activity[]): Promise<void> {
    const now = this.clock.now()
    await this.events.add(activities.map((activity) => toRow(activity, now)))
  }

  async list(userId: string, { cursor, limit = DEFAULT_LIMIT, ...query }: ListRequest): Promise<EventPage> {
    const { from, to } = rangeOf(query, this.clock.now())
    const after = cursor === undefined ? undefined : decodeCursor(cursor, 'event')
    const found = await this.events.list({ userId, from, to, after, limit: limit + 1 })
    const events = found.slice(0, limit)
    const last = events.at(-1)
    if (!last || found.length === events.length) return { events }
    const end = encodeCursor({ createdAt: new Date(last.createdAt), id: last.id })
    // With the range spelled out, so that it does not move on while somebody pages.
    return { events, next: { from: from.toISOString(), to: to.toISOString(), limit, cursor: end } }
  }

  /** Makes the partitions that are wanted and drops those whose events have been kept long enough. */
  async maintainPartitions(): Promise<void> {
    const now = this.clock.now()
    const names = await this.partitions.list()
    for (const partition of wantedPartitions(now)) if (!names.includes(partition.name)) await this.partitions.create(partition)
    for (const partition of outlivedPartitions(names, now)) await this.partitions.drop(partition)
  }
}
