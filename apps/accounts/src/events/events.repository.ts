import { Injectable } from '@nestjs/common'
import type { Activity } from '@trestle/contracts/activity'
import { Pool } from 'pg'
import type { Position } from '../paging/cursor.js'
import type { EventRow } from './event.js'

interface Row {
  id: string
  service: string
  input: Activity['input']
  output: Activity['output']
  service_data: Activity['serviceData']
  created_at: Date
}

export interface EventQuery {
  readonly userId: string
  readonly from: Date
  readonly to: Date
  readonly after?: Position
  readonly limit: number
}

const INSERT = {
  name: 'insert_events',
  text: `INSERT INTO event (id, user_id, service, input, output, service_data, created_at)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::jsonb[], $6::jsonb[], $7::timestamptz[])
         ON CONFLICT DO NOTHING`,
}

/** The one table that Prisma does not know: partitioned, written in bulk. */
@Injectable()
export class EventsRepository {
  constructor(private readonly pool: Pool) {}

  /** Takes some thousands at once; one that is there already is left as it is. */
  async add(rows: readonly EventRow[]): Promise<void> {
    const column = <K extends keyof EventRow>(name: K) => rows.map((row) => row[name])
    const values = [
      column('id'),
      column('userId'),
      column('service'),
      column('input'),
      column('output'),
      column('serviceData'),
      column('createdAt'),
    ]
    await this.pool.query({ ...INSERT, values })
  }

  /** Newest first, and of one moment the greatest id first. */
  async list({ userId, from, to, after, limit }: EventQuery): Promise<Activity[]> {
    const { rows } = await this.pool.query<Row>({
      name: after ? 'list_events_after' : 'list_events',
      text: `SELECT id, service, input, output, service_data, created_at FROM event
              WHERE user_id = $1 AND created_at BETWEEN $2 AND $3 ${after ? 'AND (created_at, id) < ($5, $6)' : ''}
              ORDER BY created_at DESC, id DESC LIMIT $4`,
      values: [userId, from, to, limit, ...(after ? [after.createdAt, after.id.slice('event-'.length)] : [])],
    })
    return rows.map((row) => toEvent(userId, row))
  }
}

function toEvent(user: string, { id, service, input, output, service_data, created_at }: Row): Activity {
  return { id: `event-${id}`, user, service, input, output, serviceData: service_data, createdAt: created_at.toISOString() }
}
