import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge } from 'prom-client'
import type { ProjectCounts } from './meter.js'
import { type UsageBatch, UsageRepository } from './usage.repository.js'
import { hourOf, UsageBook } from './usage-book.js'

const MAX_BATCH = 5_000

/** Brings what was counted to Postgres exactly once, however often a write has to be repeated. */
@Injectable()
export class UsageWriter {
  readonly #process = randomUUID()
  readonly #book = new UsageBook()
  readonly #lost: Counter<never>
  #seq = 0
  /** On its way: its number and its rows stay as they are until it is known to be written. */
  #batch: UsageBatch | undefined

  constructor(
    private readonly repository: UsageRepository,
    private readonly clock: Clock,
    { registry }: Metrics,
  ) {
    this.#lost = new Counter({ name: 'usage_lost_calls_total', help: 'Calls that no usage tells of.', registers: [registry] })
    const gauge: Gauge = new Gauge({
      name: 'usage_waiting_rows',
      help: 'Sums of a project, hour and method that are not in Postgres yet.',
      registers: [registry],
      collect: () => gauge.set(this.#book.size + (this.#batch?.rows.length ?? 0)),
    })
  }

  /** Counts towards the hour it is now: of calls around the full hour the last second may fall into the next. */
  add(counts: readonly ProjectCounts[]): void {
    const hour = hourOf(this.clock.now().getTime())
    for (const { project, methods } of counts) this.#lost.inc(this.#book.add(project.serial, hour, methods))
  }

  async write(): Promise<void> {
    while (this.#batch || this.#book.size > 0) {
      this.#batch ??= { process: this.#process, seq: ++this.#seq, rows: this.#book.take(MAX_BATCH) }
      await this.repository.write(this.#batch)
      this.#batch = undefined
    }
  }
}
