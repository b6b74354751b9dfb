import { Injectable } from '@nestjs/common'
import type { Activity } from '@trestle/contracts/activity'
import { insertRows, selectList } from '@trestle/database/columns'
import { Pool } from 'pg'
import type { Position } from '../paging/cursor.js'
import type { EventRow } from './event.js'

const TYPES = {
  id: 'uuid',
  userId: 'text',
  service: 'text',
  input: 'jsonb',
  output: 'jsonb',
  serviceData: 'jsonb',
  createdAt: 'timestamptz',
} as const satisfies Record<keyof EventRow, string>

const insertAll = insertRows<EventRow>('event', TYPES, 'ON CONFLICT DO NOTHING')

/** pg returns JSON parsed. */
type StoredEvent = Pick<EventRow, 'id' | 'userId' | 'service' | 'createdAt'> & Pick<Activity, 'input' | 'output' | 'serviceData'>

interface EventQuery {
  readonly userId: string
  readonly from: Date
  readonly to: Date
  readonly after?: Position
  readonly limit: number
}

/** SQL: the table is partitioned, written in bulk and paged by a row comparison. */
@Injectable()
export class EventsRepository {
  constructor(private readonly pool: Pool) {}

  /** Some thousands at once; an event that is stored already stays as it is. */
  async insert(rows: readonly EventRow[]): Promise<void> {
    await this.pool.query(insertAll(rows))
  }

  /** Newest first; of one millisecond, the greatest id first. */
  async list({ userId, from, to, after, limit }: EventQuery): Promise<Activity[]> {
    const { rows } = await this.pool.query<StoredEvent>({
      name: after ? 'list_events_after' : 'list_events',
      text: `SELECT ${selectList(Object.keys(TYPES))} FROM event
              WHERE user_id = $1 AND created_at BETWEEN $2 AND $3 ${after ? 'AND (created_at, id) < ($5, $6)' : ''}
              ORDER BY created_at DESC, id DESC LIMIT $4`,
      values: [userId, from, to, limit, ...(after ? [after.createdAt, after.id.slice('event-'.length)] : [])],
    })
    return rows.map(fromRow)
  }
}

function fromRow({ id, userId, createdAt, ...row }: StoredEvent): Activity {
  return { id: `event-${id}`, user: userId, ...row, createdAt: createdAt.toISOString() }
}
