import { Injectable } from '@nestjs/common'
import type { Activity } from '@trestle/contracts/activity'
import { Clock } from '@trestle/runtime/clock'
import { decodeCursor, encodeCursor } from '../paging/cursor.js'
import { DEFAULT_LIMIT, eventRange, toRow } from './event.js'
import { EventsRepository } from './events.repository.js'

interface ListRequest {
  readonly from?: string
  readonly to?: string
  readonly limit?: number
  readonly cursor?: string
}

interface EventPage {
  readonly events: Activity[]
  /** The query of the page that follows, if one does. */
  readonly next?: Required<ListRequest>
}

@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly clock: Clock,
  ) {}

  /** Idempotent: an activity that is delivered again is stored once. */
  async record(activities: readonly Activity[]): Promise<void> {
    const now = this.clock.now()
    await this.events.insert(activities.map((activity) => toRow(activity, now)))
  }

  async list(userId: string, { cursor, limit = DEFAULT_LIMIT, ...query }: ListRequest): Promise<EventPage> {
    const { from, to } = eventRange(query, this.clock.now())
    const after = cursor === undefined ? undefined : decodeCursor(cursor, 'event')
    const rows = await this.events.list({ userId, from, to, after, limit: limit + 1 })
    const events = rows.slice(0, limit)
    const last = events.at(-1)
    if (!last || rows.length === events.length) return { events }
    const end = encodeCursor({ createdAt: new Date(last.createdAt), id: last.id })
    // The range is explicit, so that it does not move while the caller pages.
    return { events, next: { from: from.toISOString(), to: to.toISOString(), limit, cursor: end } }
  }
}
