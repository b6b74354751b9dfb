import { Injectable } from '@nestjs/common'
import type { MethodUsage } from '@trestle/contracts/eth-rpc/usage'
import { Pool } from 'pg'
import type { UsageRow } from './usage-book.js'

/** Some rows, under the number that tells them from those before: the same number twice is the same rows. */
export interface UsageBatch {
  readonly process: string
  readonly seq: number
  readonly rows: readonly UsageRow[]
}

export interface UsageQuery {
  readonly serial: number
  readonly from: Date
  readonly to: Date
  readonly granularity: 'hour' | 'day'
}

// In the order of the keys, so that processes that write the same rows wait for each other and do not lock each other out.
const WRITE = `
  WITH fresh AS (
    INSERT INTO usage_writer AS writer (process, seq, written_at) VALUES ($1, $2, now())
    ON CONFLICT (process) DO UPDATE SET seq = excluded.seq, written_at = now() WHERE writer.seq < excluded.seq
    RETURNING seq
  ), given AS (
    SELECT given.* FROM fresh, unnest($3::int[], $4::timestamptz[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[])
      AS given (project, hour, method, calls, errors, compute_units, bytes_out, cache_hits)
  ), days AS (
    INSERT INTO usage_day AS known (project, day, compute_units)
    SELECT project, (hour AT TIME ZONE 'UTC')::date AS day, sum(compute_units) FROM given GROUP BY project, day ORDER BY project, day
    ON CONFLICT (project, day) DO UPDATE SET compute_units = known.compute_units + excluded.compute_units
  )
  INSERT INTO usage_hour AS known (project, hour, method, calls, errors, compute_units, bytes_out, cache_hits)
  SELECT * FROM given ORDER BY project, hour, method
  ON CONFLICT (project, hour, method) DO UPDATE SET
    calls = known.calls + excluded.calls,
    errors = known.errors + excluded.errors,
    compute_units = known.compute_units + excluded.compute_units,
    bytes_out = known.bytes_out + excluded.bytes_out,
    cache_hits = known.cache_hits + excluded.cache_hits`

const LIST = `
  SELECT date_trunc($4, hour, 'UTC') AS time, method, sum(calls) AS calls, sum(errors) AS errors,
         sum(compute_units) AS compute_units, sum(bytes_out) AS bytes_out, sum(cache_hits) AS cache_hits
    FROM usage_hour WHERE project = $1 AND hour >= $2 AND hour < $3
   GROUP BY time, method ORDER BY time, method`

// The lock keeps processes out of each other's way, the limit keeps it short.
const BATCH = 1000
const OUTLIVED = [
  remove('usage_hour', 'hour < $1'),
  remove('usage_day', 'day < $1'),
  remove('usage_writer', "written_at < now() - interval '1 day'"),
]

@Injectable()
export class UsageRepository {
  constructor(private readonly pool: Pool) {}

  /** Writes all rows or none; again with the same number it changes nothing. */
  async write({ process, seq, rows }: UsageBatch): Promise<void> {
    const column = <K extends keyof UsageRow>(name: K) => rows.map((row) => row[name])
    const hours = rows.map(({ hour }) => new Date(hour))
    const sums = (['calls', 'errors', 'computeUnits', 'bytesOut', 'cacheHits'] as const).map(column)
    await this.pool.query({ name: 'write_usage', text: WRITE, values: [process, seq, column('serial'), hours, column('method'), ...sums] })
  }

  /** By the hour or day it began in, and by method. */
  async list({ serial, from, to, granularity }: UsageQuery): Promise<MethodUsage[]> {
    const { rows } = await this.pool.query<Row>({ name: 'list_usage', text: LIST, values: [serial, from, to, granularity] })
    return rows.map(toUsage)
  }

  async removeBefore(time: Date): Promise<void> {
    for (const statement of OUTLIVED) {
      while ((await this.pool.query(statement, statement.includes('$1') ? [time] : [])).rowCount === BATCH);
    }
  }
}

interface Row {
  readonly time: Date
  readonly method: string
  readonly calls: string
  readonly errors: string
  readonly compute_units: string
  readonly bytes_out: string
  readonly cache_hits: string
}

function toUsage({ time, method, ...row }: Row): MethodUsage {
  return {
    time: time.toISOString(),
    method,
    calls: Number(row.calls),
    errors: Number(row.errors),
    computeUnits: Number(row.compute_units),
    bytesOut: Number(row.bytes_out),
    cacheHits: Number(row.cache_hits),
  }
}

function remove(table: string, condition: string): string {
  return `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
}
