import { Injectable } from '@nestjs/common'
import { messageOf } from '@trestle/problem/thrown'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter } from 'prom-client'
import { ADVICE, type FailureReason, failureReason } from './failure-reason.js'

/** Counts what streams fail to do and may have lost. Logs each reason of a failure once for as long as it lasts. */
@Injectable()
export class StreamFailures {
  private readonly failing = new Map<string, FailureReason>()
  private readonly counter: Counter<'stream' | 'reason'>
  private readonly republished: Counter<'stream'>

  constructor(
    private readonly logger: Logger,
    { registry }: Metrics,
  ) {
    this.counter = new Counter({
      name: 'stream_failures_total',
      help: 'Messages that a JetStream stream did not store, and streams that could not be asked, created or changed.',
      labelNames: ['stream', 'reason'],
      registers: [registry],
    })
    this.republished = new Counter({
      name: 'events_republished_total',
      help: 'Domain events that a stream has lost, or may have lost, and that are published again.',
      labelNames: ['stream'],
      registers: [registry],
    })
  }

  /** Of an operation: `publish to`, `ask`, `set up`. */
  failed(operation: string, stream: string, error: unknown): void {
    const reason = failureReason(error)
    this.counter.inc({ stream, reason })
    if (this.failing.get(`${operation} ${stream}`) === reason) return
    this.failing.set(`${operation} ${stream}`, reason)
    // Without a stack trace: it would show the retry, not the cause.
    const details = { stream, operation, reason, error: messageOf(error) }
    this.logger.warn(details, `a stream cannot be used; trying again. ${ADVICE[reason]}`)
  }

  mayHaveLost(stream: string, events: number): void {
    if (events === 0) return
    this.republished.inc({ stream }, events)
    this.logger.warn({ stream, events }, 'a stream may have lost events; publishing them again')
  }

  succeeded(operation: string, stream: string): void {
    if (this.failing.delete(`${operation} ${stream}`)) this.logger.info({ stream, operation }, 'the stream can be used again')
  }
}
