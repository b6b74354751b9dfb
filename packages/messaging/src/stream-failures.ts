import { JetStreamApiError } from '@nats-io/jetstream'
import { errors } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import { messageOf } from '@trestle/problem/thrown'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter } from 'prom-client'
import { NoLeader } from './ensure-stream.js'

type FailureReason = keyof typeof ADVICE

/** What an operator does next. */
const ADVICE = {
  store_full: 'The JetStream store is too small for what its streams reserve: give nats-server more max_file_store.',
  no_stream: 'Accounts creates the streams: check that it runs and what it logs about this stream.',
  too_few_servers: 'Start more NATS servers, or lower NATS_REPLICAS of accounts.',
  no_leader: 'Most of the NATS servers that store the stream have to run and reach one another.',
  not_acknowledged: 'Check that most of the NATS servers that store the stream run, and how busy their disks are.',
  refused: 'The error says why.',
} as const

// JetStream's error codes (nats-server, errors.json).
const REASONS = new Map<number, FailureReason>([
  [10_002, 'store_full'],
  [10_023, 'store_full'],
  [10_028, 'store_full'],
  [10_047, 'store_full'],
  [10_077, 'store_full'],
  [10_059, 'no_stream'],
  [10_005, 'too_few_servers'],
  [10_074, 'too_few_servers'],
  [10_008, 'no_leader'],
  [10_009, 'no_leader'],
])

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
    const reason = reasonOf(error)
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

function reasonOf(error: unknown): FailureReason {
  if (error instanceof NoLeader) return 'no_leader'
  if (error instanceof JetStreamApiError) return REASONS.get(error.code) ?? 'refused'
  if (error instanceof errors.TimeoutError) return 'not_acknowledged'
  if (error instanceof errors.RequestError && error.isNoResponders()) return 'no_stream'
  return error instanceof Error && error.cause ? reasonOf(error.cause) : 'refused'
}
