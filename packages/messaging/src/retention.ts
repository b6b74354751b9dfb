import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Pool } from 'pg'

const SWEEP_MS = 60_000
const BATCH = 1_000
const MAX_DEAD_LETTERS = 10_000

// A published row is kept for a day, to refill a wiped stream. An event may thus be published again a day after its effect
// and then wait in the stream for a week: its inbox row outlives both, and every copy of a signed event (`MAX_AGE_MS`).
const SWEEPS = [
  "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE published_at < now() - interval '24 hours' LIMIT $1)",
  `DELETE FROM inbox WHERE (consumer, message_id) IN
    (SELECT consumer, message_id FROM inbox WHERE received_at < now() - interval '9 days' LIMIT $1)`,
  "DELETE FROM dead_letter WHERE id IN (SELECT id FROM dead_letter WHERE given_up_at < now() - interval '30 days' LIMIT $1)",
  `DELETE FROM dead_letter WHERE id IN (SELECT id FROM dead_letter ORDER BY given_up_at DESC OFFSET ${MAX_DEAD_LETTERS} LIMIT $1)`,
]

/** Deletes outbox and inbox rows that are no longer needed, and old dead letters. */
@Injectable()
export class Retention implements OnApplicationBootstrap {
  private timer?: NodeJS.Timeout
  private sweeping?: Promise<void>

  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain(() => this.stop())
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping ??= this.sweep()
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, 'old rows of the outbox, the inbox and the dead letters could not be deleted'),
        )
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
}
