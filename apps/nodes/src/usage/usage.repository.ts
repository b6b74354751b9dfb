import { Injectable } from '@nestjs/common'
import type { NodeUsage } from '@trestle/contracts/nodes/usage'
import { Pool } from 'pg'
import type { UsageRow } from './usage-book.js'

export interface UsageQuery {
  readonly holding: string
  readonly from: Date
  readonly to: Date
}

export interface Owned {
  readonly id: string
  readonly userId: string
  readonly kind: 'node' | 'cluster'
}

// In the order of the keys, so that processes that write the same rows wait for each other and do not lock each other out.
const ADD = `
  INSERT INTO usage AS known (holding_id, hour, method, calls, errors, bytes_out)
  SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
    AS given (holding_id, hour, method, calls, errors, bytes_out)
   ORDER BY holding_id, hour, method
  ON CONFLICT (holding_id, hour, method) DO UPDATE SET
    calls = known.calls + excluded.calls,
    errors = known.errors + excluded.errors,
    bytes_out = known.bytes_out + excluded.bytes_out`

const LIST = `
  SELECT hour AS time, method, calls, errors, bytes_out AS "bytesOut"
    FROM usage WHERE holding_id = $1 AND hour >= $2 AND hour < $3 ORDER BY hour, method`

const OWNS = `SELECT FROM holding WHERE id = $1 AND user_id = $2 AND kind = $3 AND wanted <> 'removed'`

// The lock keeps processes out of each other's way, the limit keeps it short.
const BATCH = 1000
const REMOVE = `DELETE FROM usage WHERE ctid IN (SELECT ctid FROM usage WHERE hour < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`

@Injectable()
export class UsageRepository {
  constructor(private readonly pool: Pool) {}

  async add(rows: readonly UsageRow[]): Promise<void> {
    const column = <K extends keyof UsageRow>(name: K) => rows.map((row) => row[name])
    const hours = rows.map(({ hour }) => new Date(hour))
    const values = [column('holding'), hours, column('method'), column('calls'), column('errors'), column('bytesOut')]
    await this.pool.query({ name: 'add_usage', text: ADD, values })
  }

  /** By hour and method. */
  async list({ holding, from, to }: UsageQuery): Promise<NodeUsage['usage']> {
    const { rows } = await this.pool.query<Row>({ name: 'list_usage', text: LIST, values: [holding, from, to] })
    return rows.map(({ time, method, calls, errors, bytesOut }) => ({
      time: time.toISOString(),
      method,
      calls: Number(calls),
      errors: Number(errors),
      bytesOut: Number(bytesOut),
    }))
  }

  async isOwned({ id, userId, kind }: Owned): Promise<boolean> {
    const { rowCount } = await this.pool.query(OWNS, [id, userId, kind])
    return rowCount === 1
  }

  async removeBefore(time: Date): Promise<void> {
    while ((await this.pool.query(REMOVE, [time])).rowCount === BATCH);
  }
}

interface Row {
  readonly time: Date
  readonly method: string
  readonly calls: string
  readonly errors: string
  readonly bytesOut: string
}
