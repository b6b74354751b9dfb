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
    const gauge: Gauge = new Gauge({
      name: 'outbox_waiting',
      help: `Domain events not yet published; counted up to ${MAX_COUNTED_WAITING}.`,
      registers: [metrics.registry],
      collect: () =>
        this.countWaiting().then(
          (count) => gauge.set(count),
          () => gauge.set(Number.NaN),
        ),
    })
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

  private async countWaiting(): Promise<number> {
    const { rows } = await this.pool.query(
      'SELECT count(*)::int AS count FROM (SELECT FROM outbox WHERE published_at IS NULL LIMIT $1) AS waiting',
      [MAX_COUNTED_WAITING],
    )
    return rows[0].count
  }
}
