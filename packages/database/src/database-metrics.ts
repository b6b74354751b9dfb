import type { Metrics } from '@trestle/runtime/metrics'
import type { Pool } from 'pg'
import { Gauge } from 'prom-client'
import { heldLeases } from './lease.js'

/** A gauge of rows: every replica shows the same. */
export interface RowGauge {
  readonly name: string
  readonly help: string
  /** Selects `count`, and a column for each label. */
  readonly sql: string
  readonly labels?: readonly string[]
}

/** The connections of this process, and its leases. */
export function addDatabaseMetrics(pool: Pool, { registry }: Metrics): void {
  const registers = [registry]
  const add = (name: string, help: string, read: () => number) => {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
  }
  add('database_connections_in_use', 'Connections to Postgres that are in use.', () => pool.totalCount - pool.idleCount)
  add('database_connections_limit', 'How many connections to Postgres this process may open.', () => pool.options.max)
  add('database_waiting', 'Queries and transactions that wait for a connection.', () => pool.waitingCount)
  const leases: Gauge<'lease'> = new Gauge({
    name: 'lease_held',
    help: '1 for a lease that this process holds.',
    labelNames: ['lease'],
    registers,
    collect: () => {
      leases.reset()
      for (const lease of heldLeases(pool)) leases.set({ lease }, 1)
    },
  })
}

export function addRowGauge(pool: Pool, { registry }: Metrics, { name, help, sql, labels = [] }: RowGauge): void {
  const gauge: Gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry], collect })

  /** Without Postgres there is no sample, rather than an old one. */
  async function collect(): Promise<void> {
    gauge.reset()
    const { rows } = await pool.query<{ count: number; [label: string]: string | number }>(sql).catch(() => ({ rows: [] }))
    for (const { count, ...values } of rows) gauge.set(values, count)
  }
}
