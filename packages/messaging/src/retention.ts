import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Pool } from 'pg'
import { Gauge } from 'prom-client'

const SWEEP_MS = 60_000
const BATCH = 1_000

// A published row is kept a day, to refill a wiped stream. A fact may so come again a day after its effect
// and then wait in the stream for a week: the inbox remembers it longer than both.
const SWEEPS = [
  "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE published_at < now() - interval '24 hours' LIMIT $1)",
  `DELETE FROM inbox WHERE (consumer, message_id) IN
    (SELECT consumer, message_id FROM inbox WHERE received_at < now() - interval '9 days' LIMIT $1)`,
]

/** Forgets what the outbox and the inbox no longer need. */
@Injectable()
export class Retention implements OnApplicationBootstrap {
  private timer?: NodeJS.Timeout
  private sweeping?: Promise<void>

  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
    metrics: Metrics,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain(() => this.stop())
    const gauge: Gauge = new Gauge({
      name: 'outbox_waiting',
      help: 'Facts not yet published; counted up to 10000.',
      registers: [metrics.registry],
      collect: () =>
        this.countWaiting().then(
          (count) => gauge.set(count),
          () => gauge.set(Number.NaN),
        ),
    })
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping ??= this.sweep()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'the outbox and inbox could not be swept'))
        .finally(() => {
          this.sweeping = undefined
        })
    }, SWEEP_MS)
  }

  async sweep(): Promise<void> {
    for (const sql of SWEEPS) {
      let swept: number
      do {
        const { rowCount } = await this.pool.query(sql, [BATCH])
        swept = rowCount ?? 0
      } while (swept === BATCH)
    }
  }

  private async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.sweeping
  }

  private async countWaiting(): Promise<number> {
    const { rows } = await this.pool.query(
      'SELECT count(*)::int AS count FROM (SELECT FROM outbox WHERE published_at IS NULL LIMIT 10000) AS waiting',
    )
    return rows[0].count
  }
}
