import { Injectable } from '@nestjs/common'
import type { Activity } from '@trestle/contracts/activity'
import { Clock } from '@trestle/runtime/clock'
import { decodeCursor, encodeCursor } from '../paging/cursor.js'
import { DEFAULT_LIMIT, eventRange, toRow } from './event.js'
import { EventsRepository } from './events.repository.js'

export interface EventListRequest {
  readonly from?: string
  readonly to?: string
  readonly limit?: number
  readonly cursor?: string
}

export interface EventPage<E = Activity> {
  readonly events: E[]
  /** The query of the page that follows, if one does. */
  readonly next?: Required<EventListRequest>
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

  list(userId: string, request: EventListRequest): Promise<EventPage> {
    return this.page('user', userId, request)
  }

  listOfOrganization(organizationId: string, { changes, ...request }: EventListRequest & { changes: boolean }): Promise<EventPage> {
    return this.page(changes ? 'changes' : 'organization', organizationId, request)
  }

  private async page(
    owner: Parameters<EventsRepository['list']>[0],
    ownerId: string,
    { cursor, limit = DEFAULT_LIMIT, ...query }: EventListRequest,
  ): Promise<EventPage> {
    const { from, to } = eventRange(query, this.clock.now())
    const after = cursor === undefined ? undefined : decodeCursor(cursor, 'event')
    const rows = await this.events.list(owner, ownerId, { from, to, after, limit: limit + 1 })
    const events = rows.slice(0, limit)
    const last = events.at(-1)
    if (!last || rows.length === events.length) return { events }
    const end = encodeCursor({ createdAt: new Date(last.createdAt), id: last.id })
    // The range is explicit, so that it does not move while the caller pages.
    return { events, next: { from: from.toISOString(), to: to.toISOString(), limit, cursor: end } }
  }
}
