import { Injectable } from '@nestjs/common'
import type { SecurityEvent, SecurityEventKind } from '@trestle/contracts/security-event'
import { insertRows, selectList } from '@trestle/database/columns'
import { Pool } from 'pg'
import type { Position } from '../paging/cursor.js'
import { type SecurityEventRow, type StoredSecurityEvent, toSecurityEvent, uuidOf } from './security-event-row.js'

const TYPES = {
  id: 'uuid',
  kind: 'text',
  outcome: 'text',
  userId: 'text',
  session: 'text',
  clientKey: 'text',
  attempted: 'text',
  clientAddress: 'text',
  userAgent: 'text',
  service: 'text',
  method: 'text',
  route: 'text',
  target: 'jsonb',
  status: 'int',
  code: 'text',
  requestId: 'text',
  createdAt: 'timestamptz',
} as const satisfies Record<keyof SecurityEventRow, string>

const insertAll = insertRows<SecurityEventRow>('security_event', TYPES, 'ON CONFLICT DO NOTHING')

export interface SecurityLogQuery {
  readonly from: Date
  readonly to: Date
  readonly userId?: string
  readonly attempted?: string
  readonly kind?: SecurityEventKind
  readonly outcome?: SecurityEvent['outcome']
  readonly after?: Position
  readonly limit: number
}

const ORDERS = {
  newestFirst: { comparison: '<', direction: 'DESC' },
  oldestFirst: { comparison: '>', direction: 'ASC' },
} as const

/** SQL: the table is partitioned, written in bulk and paged by a row comparison. */
@Injectable()
export class SecurityLogRepository {
  constructor(private readonly pool: Pool) {}

  /** An event that is stored already stays as it is. */
  async insert(rows: readonly SecurityEventRow[]): Promise<void> {
    await this.pool.query(insertAll(rows))
  }

  /** The id orders events of one millisecond. */
  async list({ from, to, after, limit, ...filters }: SecurityLogQuery, order: keyof typeof ORDERS): Promise<SecurityEvent[]> {
    const { comparison, direction } = ORDERS[order]
    const { userId, attempted, kind, outcome } = filters
    const { rows } = await this.pool.query<StoredSecurityEvent>(
      `SELECT ${selectList(Object.keys(TYPES))} FROM security_event
        WHERE created_at BETWEEN $1 AND $2
          AND ($3::text IS NULL OR user_id = $3) AND ($4::text IS NULL OR attempted = $4)
          AND ($5::text IS NULL OR kind = $5) AND ($6::text IS NULL OR outcome = $6)
          AND ($7::timestamptz IS NULL OR (created_at, id) ${comparison} ($7, $8::uuid))
        ORDER BY created_at ${direction}, id ${direction} LIMIT $9`,
      [from, to, userId, attempted, kind, outcome, after?.createdAt, after && uuidOf(after.id), limit],
    )
    return rows.map(toSecurityEvent)
  }
}
