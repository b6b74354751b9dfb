import { Injectable } from '@nestjs/common'
import { LATENCY_BUCKETS, latencyQuantile } from '@trestle/contracts/eth-rpc/latency'
import type { MethodUsage } from '@trestle/contracts/eth-rpc/usage'
import { deleteInBatches } from '@trestle/database/delete-in-batches'
import type { UsageRow } from '@trestle/usage/usage-book'
import type { UsageBatch, UsageStore } from '@trestle/usage/usage-writer'
import { Pool } from 'pg'
import type { Sums } from './sums.js'

export type ProjectUsage = UsageRow<number, Sums>

export interface UsageQuery {
  readonly serial: number
  readonly from: Date
  readonly to: Date
  readonly granularity: 'hour' | 'day'
}

/** An array of what stands for each bucket. */
function ofBuckets(element: (place: number) => string): string {
  return `ARRAY[${Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => element(bucket + 1)).join(', ')}]`
}

// In the order of the keys, so that processes that write the same rows wait for each other and do not lock each other out.
const WRITE = `
  WITH fresh AS (
    INSERT INTO usage_writer AS writer (process, seq, written_at) VALUES ($1, $2, now())
    ON CONFLICT (process) DO UPDATE SET seq = excluded.seq, written_at = now() WHERE writer.seq < excluded.seq
    RETURNING seq
  ), given AS (
    SELECT project, hour, method, calls, errors, compute_units, bytes_out, cache_hits, latency::bigint[]
    FROM fresh, unnest($3::int[], $4::timestamptz[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::text[])
      AS given (project, hour, method, calls, errors, compute_units, bytes_out, cache_hits, latency)
  ), days AS (
    INSERT INTO usage_day AS known (project, day, compute_units)
    SELECT project, (hour AT TIME ZONE 'UTC')::date AS day, sum(compute_units) FROM given GROUP BY project, day ORDER BY project, day
    ON CONFLICT (project, day) DO UPDATE SET compute_units = known.compute_units + excluded.compute_units
  )
  INSERT INTO usage_hour AS known (project, hour, method, calls, errors, compute_units, bytes_out, cache_hits, latency)
  SELECT * FROM given ORDER BY project, hour, method
  ON CONFLICT (project, hour, method) DO UPDATE SET
    calls = known.calls + excluded.calls,
    errors = known.errors + excluded.errors,
    compute_units = known.compute_units + excluded.compute_units,
    bytes_out = known.bytes_out + excluded.bytes_out,
    cache_hits = known.cache_hits + excluded.cache_hits,
    latency = ${ofBuckets((place) => `coalesce(known.latency[${place}], 0) + excluded.latency[${place}]`)}`

const LIST = `
  SELECT date_trunc($4, hour, 'UTC') AS time, method, sum(calls) AS calls, sum(errors) AS errors,
         sum(compute_units) AS compute_units, sum(bytes_out) AS bytes_out, sum(cache_hits) AS cache_hits,
         ${ofBuckets((place) => `coalesce(sum(latency[${place}]), 0)`)}::text[] AS latency
    FROM usage_hour WHERE project = $1 AND hour >= $2 AND hour < $3
   GROUP BY time, method ORDER BY time, method`

@Injectable()
export class UsageRepository implements UsageStore<number, Sums> {
  constructor(private readonly pool: Pool) {}

  /** Writes all rows or none; again with the same number it changes nothing. */
  async write({ process, seq, rows }: UsageBatch<ProjectUsage>): Promise<void> {
    const column = <K extends keyof ProjectUsage>(name: K) => rows.map((row) => row[name])
    const hours = rows.map(({ hour }) => new Date(hour))
    const sums = (['calls', 'errors', 'computeUnits', 'bytesOut', 'cacheHits'] as const).map(column)
    const latencies = rows.map(({ latency }) => `{${latency}}`)
    const values = [process, seq, column('of'), hours, column('method'), ...sums, latencies]
    await this.pool.query({ name: 'write_usage', text: WRITE, values })
  }

  /** By the hour or day it began in, and by method. */
  async list({ serial, from, to, granularity }: UsageQuery): Promise<MethodUsage[]> {
    const { rows } = await this.pool.query<Row>({ name: 'list_usage', text: LIST, values: [serial, from, to, granularity] })
    return rows.map(toUsage)
  }

  async removeBefore(time: Date): Promise<void> {
    await deleteInBatches(this.pool, 'usage_hour', 'hour < $1', [time])
    await deleteInBatches(this.pool, 'usage_day', 'day < $1', [time])
    await deleteInBatches(this.pool, 'usage_writer', "written_at < now() - interval '1 day'")
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
  readonly latency: readonly string[]
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
    latency: toLatency(row.latency.map(Number)),
  }
}

function toLatency(counts: number[]): MethodUsage['latency'] {
  const quantile = (part: number) => latencyQuantile(counts, part)
  return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), counts }
}
