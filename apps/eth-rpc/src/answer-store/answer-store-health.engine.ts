import { Injectable } from '@nestjs/common'
import { messageOf } from '@trestle/problem/thrown'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge } from 'prom-client'

const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

/** How the store of answers does: its metrics, and the pauses in which it is left alone. */
@Injectable()
export class AnswerStoreHealth {
  readonly reads: Counter<'outcome'>
  readonly written: Counter<never>
  readonly dropped: Counter<'reason'>
  readonly bytes: Gauge
  readonly open: Gauge
  private pauseMs = 0
  private pausedUntil = 0
  private troubledAt = 0

  constructor(
    private readonly logger: Logger,
    { registry }: Metrics,
  ) {
    const registers = [registry]
    this.reads = new Counter({
      name: 'answer_store_reads_total',
      help: 'Stored answers that were looked for, by outcome.',
      labelNames: ['outcome'],
      registers,
    })
    this.written = new Counter({ name: 'answer_store_written_total', help: 'Answers that were stored.', registers })
    this.dropped = new Counter({
      name: 'answer_store_dropped_total',
      help: 'Answers that were not stored, or not served from the store, by reason.',
      labelNames: ['reason'],
      registers,
    })
    this.bytes = new Gauge({ name: 'answer_store_bytes', help: 'The disk space of stored answers.', registers, aggregator: 'max' })
    this.open = new Gauge({
      name: 'answer_store_open',
      help: '1 while stored answers are known to be of the chain that is followed.',
      registers,
      aggregator: 'min',
    })
  }

  get isPaused(): boolean {
    return performance.now() < this.pausedUntil
  }

  /** It is left alone for a while, the longer the more often. */
  troubled(reason: string, error?: unknown): void {
    if (this.isPaused) return
    if (this.pauseMs === 0)
      this.logger.warn({ reason, ...(error !== undefined && { message: messageOf(error) }) }, 'stored answers are not used')
    this.troubledAt = performance.now()
    this.pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, 2 * this.pauseMs))
    this.pausedUntil = this.troubledAt + this.pauseMs
  }

  /** What comes and goes is no news. */
  succeeded(): void {
    if (this.pauseMs === 0 || performance.now() - this.troubledAt < MAX_PAUSE_MS) return
    this.logger.info('stored answers are used again')
    this.pauseMs = 0
  }
}
