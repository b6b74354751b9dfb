import { deleteInBatches } from '@trestle/database/delete-in-batches'
import type { Pool } from 'pg'
import type { UsageRow } from './usage-book.js'
import type { MethodSums, SumName, UsageTable } from './usage-sums.js'
import type { UsageBatch, UsageStore } from './usage-writer.js'

export interface UsageQuery<K> {
  readonly of: K
  readonly from: Date
  readonly to: Date
  readonly granularity: 'hour' | 'day'
}

/** What the calls of a method came to in an hour or a day. */
export type UsageReport<N extends string = never> = MethodSums<N> & { readonly time: string }

/** The table of a service's usage. */
export class UsageRepository<K extends string | number, N extends string = never> implements UsageStore<K, N> {
  readonly #writeText: string
  readonly #listText: string

  constructor(
    private readonly pool: Pool,
    private readonly table: UsageTable<N>,
  ) {
    this.#writeText = writeText(table)
    this.#listText = listText(table)
  }

  /** Writes all rows or none; again with the same number it changes nothing. */
  async write({ process, seq, rows }: UsageBatch<UsageRow<K, N>>): Promise<void> {
    const { columns, latencyBuckets } = this.table
    const keys = [rows.map(({ of }) => of), rows.map(({ hour }) => new Date(hour)), rows.map(({ method }) => method)]
    const sums = columns.map(([name]) => rows.map((row: Record<SumName<N>, number>) => row[name]))
    const latencies = latencyBuckets > 0 ? [rows.map(({ latency }) => `{${latency}}`)] : []
    await this.pool.query({ name: 'write_usage', text: this.#writeText, values: [process, seq, ...keys, ...sums, ...latencies] })
  }

  /** By the hour or day it began in, and by method. */
  async list({ of, from, to, granularity }: UsageQuery<K>): Promise<UsageReport<N>[]> {
    const { rows } = await this.pool.query<ReportRow>({ name: 'list_usage', text: this.#listText, values: [of, from, to, granularity] })
    return rows.map(({ time, method, sums, latency }) => {
      const report = { ...this.table.none(), method, time: time.toISOString(), latency: latency.map(Number) }
      const numbers: Record<SumName<N>, number> = report
      for (const [i, [name]] of this.table.columns.entries()) numbers[name] = Number(sums[i])
      return report
    })
  }

  async removeBefore(time: Date): Promise<void> {
    const { name, perDay } = this.table
    await deleteInBatches(this.pool, name, 'hour < $1', [time])
    if (perDay) await deleteInBatches(this.pool, perDay.table, 'day < $1', [time])
    await deleteInBatches(this.pool, 'usage_writer', "written_at < now() - interval '1 day'")
  }
}

interface ReportRow {
  readonly time: Date
  readonly method: string
  readonly sums: readonly string[]
  readonly latency: readonly string[]
}

/** An array with an expression for each bucket. */
function ofBuckets({ latencyBuckets }: UsageTable<string>, expression: (place: number) => string): string {
  return `ARRAY[${Array.from({ length: latencyBuckets }, (_, bucket) => expression(bucket + 1)).join(', ')}]`
}

// Rows are written in the order of their keys, so that processes that write the same rows wait for each other and do not deadlock.
function writeText(table: UsageTable<string>): string {
  const { name, key, keyType, perDay } = table
  const sums = table.columns.map(([, column]) => column)
  const hasLatency = table.latencyBuckets > 0
  const columns = [key, 'hour', 'method', ...sums, ...(hasLatency ? ['latency'] : [])].join(', ')
  const types = [keyType, 'timestamptz', 'text', ...sums.map(() => 'bigint'), ...(hasLatency ? ['text'] : [])]
  const additions = sums.map((column) => `${column} = known.${column} + excluded.${column}`)
  if (hasLatency)
    additions.push(`latency = ${ofBuckets(table, (place) => `coalesce(known.latency[${place}], 0) + excluded.latency[${place}]`)}`)
  return `
    WITH fresh AS (
      INSERT INTO usage_writer AS writer (process, seq, written_at) VALUES ($1, $2, now())
      ON CONFLICT (process) DO UPDATE SET seq = excluded.seq, written_at = now() WHERE writer.seq < excluded.seq
      RETURNING seq
    ), given AS (
      SELECT ${columns.replace(/latency$/, 'latency::bigint[]')}
        FROM fresh, unnest(${types.map((type, i) => `$${i + 3}::${type}[]`).join(', ')}) AS given (${columns})
    )${perDay ? `, days AS (${daysText(key, perDay)})` : ''}
    INSERT INTO ${name} AS known (${columns})
    SELECT * FROM given ORDER BY ${key}, hour, method
    ON CONFLICT (${key}, hour, method) DO UPDATE SET ${additions.join(', ')}`
}

function daysText(key: string, { table, column }: NonNullable<UsageTable['perDay']>): string {
  return `
    INSERT INTO ${table} AS known (${key}, day, ${column})
    SELECT ${key}, (hour AT TIME ZONE 'UTC')::date AS day, sum(${column}) FROM given GROUP BY ${key}, day ORDER BY ${key}, day
    ON CONFLICT (${key}, day) DO UPDATE SET ${column} = known.${column} + excluded.${column}`
}

function listText(table: UsageTable<string>): string {
  const sums = table.columns.map(([, column]) => `sum(${column})`).join(', ')
  return `
    SELECT date_trunc($4, hour, 'UTC') AS time, method, ARRAY[${sums}]::text[] AS sums,
           ${ofBuckets(table, (place) => `coalesce(sum(latency[${place}]), 0)`)}::text[] AS latency
      FROM ${table.name} WHERE ${table.key} = $1 AND hour >= $2 AND hour < $3
     GROUP BY time, method ORDER BY time, method`
}
