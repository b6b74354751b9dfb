import { randomUUID } from 'node:crypto'
import type { Clock } from '@trestle/runtime/clock'
import type { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge } from 'prom-client'
import type { UsageBook, UsageRow } from './usage-book.js'
import { hourOf } from './usage-range.js'
import type { MethodSums } from './usage-sums.js'

const MAX_BATCH = 5_000

/** Some rows and their number: the same number twice is the same rows. */
export interface UsageBatch<R> {
  readonly process: string
  readonly seq: number
  readonly rows: readonly R[]
}

/** Where usage is kept. It writes all rows of a batch or none; one that was already written changes nothing. */
export interface UsageStore<K, N extends string = never> {
  write(batch: UsageBatch<UsageRow<K, N>>): Promise<void>
}

/** Writes what was counted to Postgres exactly once, however often a write has to be repeated. */
export class UsageWriter<K extends string | number, N extends string = never> {
  readonly #process = randomUUID()
  readonly #lost: Counter<never>
  #seq = 0
  /** Being written: its number and its rows stay as they are until it is known to be written. */
  #batch: UsageBatch<UsageRow<K, N>> | undefined

  constructor(
    private readonly book: UsageBook<K, N>,
    private readonly store: UsageStore<K, N>,
    private readonly clock: Clock,
    { registry }: Metrics,
  ) {
    this.#lost = new Counter({ name: 'usage_lost_calls_total', help: 'Calls that are missing in the usage.', registers: [registry] })
    const gauge: Gauge = new Gauge({
      name: 'usage_waiting_rows',
      help: 'Rows of usage that are not in Postgres yet.',
      registers: [registry],
      collect: () => gauge.set(this.book.size + (this.#batch?.rows.length ?? 0)),
    })
  }

  /** Counts towards the hour it is now: of calls around the full hour the last second may fall into the next. */
  add(of: K, methods: readonly MethodSums<N>[]): void {
    this.#lost.inc(this.book.add(of, hourOf(this.clock.now().getTime()), methods))
  }

  async write(): Promise<void> {
    while (this.#batch || this.book.size > 0) {
      this.#batch ??= { process: this.#process, seq: ++this.#seq, rows: this.book.take(MAX_BATCH) }
      await this.store.write(this.#batch)
      this.#batch = undefined
    }
  }
}
