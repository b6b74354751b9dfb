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
  organizationId: 'text',
} as const satisfies Record<keyof EventRow, string>

const insertAll = insertRows<EventRow>('event', TYPES, 'ON CONFLICT DO NOTHING')

const { organizationId: _, ...LISTED } = TYPES

/** pg returns JSON parsed. */
type StoredEvent = Pick<EventRow, 'id' | 'userId' | 'service' | 'createdAt'> & Pick<Activity, 'input' | 'output' | 'serviceData'>

interface EventRange {
  readonly from: Date
  readonly to: Date
  readonly after?: Position
  readonly limit: number
}

const OWNERS = {
  // What others call in an organization is not the activity of who created it: that person may have left.
  user: `user_id = $1 AND (organization_id IS NULL OR organization_id = replace($1, 'user-', 'org-') OR service_data ? 'actor')`,
  organization: 'organization_id = $1',
  // As the index event_organization_change has it.
  changes: `organization_id = $1 AND input ->> 'method' NOT IN ('GET', 'HEAD') AND service_data ? 'actor'`,
} as const

/** SQL: the table is partitioned, written in bulk and paged by a row comparison. */
@Injectable()
export class EventsRepository {
  constructor(private readonly pool: Pool) {}

  /** Some thousands at once; an event that is stored already stays as it is. */
  async insert(rows: readonly EventRow[]): Promise<void> {
    await this.pool.query(insertAll(rows))
  }

  /** Of a user, of an organization, or only its changes. Newest first; of one millisecond, the greatest id first. */
  async list(owner: keyof typeof OWNERS, ownerId: string, { from, to, after, limit }: EventRange): Promise<Activity[]> {
    const { rows } = await this.pool.query<StoredEvent>({
      name: `list_${owner}_events${after ? '_after' : ''}`,
      text: `SELECT ${selectList(Object.keys(LISTED))} FROM event
              WHERE ${OWNERS[owner]} AND created_at BETWEEN $2 AND $3 ${after ? 'AND (created_at, id) < ($5, $6)' : ''}
              ORDER BY created_at DESC, id DESC LIMIT $4`,
      values: [ownerId, from, to, limit, ...(after ? [after.createdAt, after.id.slice('event-'.length)] : [])],
    })
    return rows.map(fromRow)
  }
}

function fromRow({ id, userId, createdAt, ...row }: StoredEvent): Activity {
  return { id: `event-${id}`, user: userId, ...row, createdAt: createdAt.toISOString() }
}
