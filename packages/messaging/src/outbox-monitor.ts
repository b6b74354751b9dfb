import { Injectable } from '@nestjs/common'
import { MAX_COUNTED_WAITING, type OutboxState } from '@trestle/contracts/delivery'
import { Metrics } from '@trestle/runtime/metrics'
import { Pool } from 'pg'
import { Gauge } from 'prom-client'

const MAX_SHOWN = 20

/** The domain events that are not yet published, for metrics and administrators. */
@Injectable()
export class OutboxMonitor {
  constructor(
    private readonly pool: Pool,
    metrics: Metrics,
  ) {
    const gauge = (name: string, help: string, read: () => Promise<number>) => {
      const added: Gauge = new Gauge({
        name,
        help,
        registers: [metrics.registry],
        collect: () =>
          read().then(
            (value) => added.set(value),
            () => added.set(Number.NaN),
          ),
      })
    }
    gauge('outbox_waiting', `Domain events not yet published; counted up to ${MAX_COUNTED_WAITING}.`, () => this.countWaiting())
    gauge('outbox_oldest_seconds', 'For how long the oldest domain event that is not yet published has waited.', () => this.oldestSeconds())
  }

  async state(): Promise<OutboxState> {
    const { rows } = await this.pool.query<{ id: string; fact: string; created_at: Date }>(
      'SELECT id, subject AS fact, created_at FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT $1',
      [MAX_SHOWN],
    )
    return {
      waiting: await this.countWaiting(),
      next: rows.map(({ id, fact, created_at }) => ({ id, fact, createdAt: created_at.toISOString() })),
    }
  }

  private async oldestSeconds(): Promise<number> {
    const { rows } = await this.pool.query<{ seconds: number }>(
      `SELECT extract(epoch FROM clock_timestamp() - greatest(created_at, republish_at))::float8 AS seconds
       FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT 1`,
    )
    return Math.max(rows[0]?.seconds ?? 0, 0)
  }

  private async countWaiting(): Promise<number> {
    const { rows } = await this.pool.query(
      'SELECT count(*)::int AS count FROM (SELECT FROM outbox WHERE published_at IS NULL LIMIT $1) AS waiting',
      [MAX_COUNTED_WAITING],
    )
    return rows[0].count
  }
}
