import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge } from 'prom-client'
import type { HoldingSums } from './sums.js'
import { UsageRepository } from './usage.repository.js'
import { hourOf, UsageBook } from './usage-book.js'

const MAX_BATCH = 5_000

/** Brings what was counted to Postgres. */
@Injectable()
export class UsageWriter {
  readonly #book = new UsageBook()
  readonly #lost: Counter<never>

  constructor(
    private readonly repository: UsageRepository,
    private readonly clock: Clock,
    { registry }: Metrics,
  ) {
    this.#lost = new Counter({ name: 'usage_lost_calls_total', help: 'Calls that no usage tells of.', registers: [registry] })
    const gauge: Gauge = new Gauge({
      name: 'usage_waiting_rows',
      help: 'Sums of a node or cluster, hour and method that are not in Postgres yet.',
      registers: [registry],
      collect: () => gauge.set(this.#book.size),
    })
  }

  /** Counts towards the hour it is now: of calls around the full hour the last second may fall into the next. */
  add(counts: readonly HoldingSums[]): void {
    const hour = hourOf(this.clock.now().getTime())
    for (const { holding, methods } of counts) this.#lost.inc(this.#book.add(holding.id, hour, methods))
  }

  async write(): Promise<void> {
    while (this.#book.size > 0) await this.writeSome()
  }

  /** What could not be written is kept. A write whose acknowledgement was lost counts twice: a figure for people, not a bill. */
  private async writeSome(): Promise<void> {
    const rows = this.#book.take(MAX_BATCH)
    try {
      await this.repository.add(rows)
    } catch (error) {
      for (const { holding, hour, ...sums } of rows) this.#lost.inc(this.#book.add(holding, hour, [sums]))
      throw error
    }
  }
}
