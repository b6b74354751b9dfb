import { Injectable } from '@nestjs/common'
import type { NodeUsage } from '@trestle/contracts/nodes/usage'
import { deleteInBatches } from '@trestle/database/delete-in-batches'
import type { UsageRow } from '@trestle/usage/usage-book'
import type { UsageBatch, UsageStore } from '@trestle/usage/usage-writer'
import { Pool } from 'pg'
import type { Sums } from './sums.js'

export type WorkloadUsage = UsageRow<string, Sums>

export interface UsageQuery {
  readonly workload: string
  readonly from: Date
  readonly to: Date
}

export interface Owned {
  readonly id: string
  readonly userId: string
  readonly kind: 'node' | 'cluster'
}

// In the order of the keys, so that processes that write the same rows wait for each other and do not lock each other out.
const WRITE = `
  WITH fresh AS (
    INSERT INTO usage_writer AS writer (process, seq, written_at) VALUES ($1, $2, now())
    ON CONFLICT (process) DO UPDATE SET seq = excluded.seq, written_at = now() WHERE writer.seq < excluded.seq
    RETURNING seq
  )
  INSERT INTO usage AS known (holding_id, hour, method, calls, errors, bytes_out)
  SELECT given.* FROM fresh, unnest($3::text[], $4::timestamptz[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[])
    AS given (holding_id, hour, method, calls, errors, bytes_out)
   ORDER BY holding_id, hour, method
  ON CONFLICT (holding_id, hour, method) DO UPDATE SET
    calls = known.calls + excluded.calls,
    errors = known.errors + excluded.errors,
    bytes_out = known.bytes_out + excluded.bytes_out`

const LIST = `
  SELECT hour AS time, method, calls, errors, bytes_out AS "bytesOut"
    FROM usage WHERE holding_id = $1 AND hour >= $2 AND hour < $3 ORDER BY hour, method`

const OWNS = `SELECT FROM workload WHERE id = $1 AND user_id = $2 AND kind = $3 AND desired_state <> 'removed'`

@Injectable()
export class UsageRepository implements UsageStore<string, Sums> {
  constructor(private readonly pool: Pool) {}

  /** Writes all rows or none; again with the same number it changes nothing. */
  async write({ process, seq, rows }: UsageBatch<WorkloadUsage>): Promise<void> {
    const column = <K extends keyof WorkloadUsage>(name: K) => rows.map((row) => row[name])
    const hours = rows.map(({ hour }) => new Date(hour))
    const sums = (['calls', 'errors', 'bytesOut'] as const).map(column)
    await this.pool.query({ name: 'write_usage', text: WRITE, values: [process, seq, column('of'), hours, column('method'), ...sums] })
  }

  /** By hour and method. */
  async list({ workload, from, to }: UsageQuery): Promise<NodeUsage['usage']> {
    const { rows } = await this.pool.query<Row>({ name: 'list_usage', text: LIST, values: [workload, from, to] })
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
    await deleteInBatches(this.pool, 'usage', 'hour < $1', [time])
    await deleteInBatches(this.pool, 'usage_writer', "written_at < now() - interval '1 day'")
  }
}

interface Row {
  readonly time: Date
  readonly method: string
  readonly calls: string
  readonly errors: string
  readonly bytesOut: string
}
