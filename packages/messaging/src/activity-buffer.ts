import { randomUUID } from 'node:crypto'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { type Activity, activityRecorded } from '@trestle/contracts/activity'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Metrics } from '@trestle/runtime/metrics'
import { MessagingOptions } from './messaging-options.js'
import { storableJson } from './storable-json.js'
import { Streams, subjectOf } from './streams.js'

const MAX_WAITING = 10_000
const MAX_BATCH = 500
const MAX_BYTES = 500_000
const FLUSH_MS = 200

/** Holds activity records for a moment, to publish many in one message. While NATS is away the oldest are dropped. */
@Injectable()
export class ActivityBuffer implements OnApplicationBootstrap {
  private waiting: string[] = []
  private flushing?: Promise<void>
  private timer?: NodeJS.Timeout

  constructor(
    private readonly options: MessagingOptions,
    private readonly streams: Streams,
    private readonly metrics: Metrics,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onFlush(() => this.stop())
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS)
  }

  add(activity: Activity): void {
    const record = storableJson(activity)
    // Longer than a message may be; it would block those behind it.
    if (Buffer.byteLength(record) > MAX_BYTES) this.lose(1)
    else this.waiting.push(record)
    this.dropOldest()
    if (this.waiting.length >= MAX_BATCH) void this.flush()
  }

  /** Settles once JetStream has stored the records. */
  async publish(activities: readonly string[]): Promise<void> {
    await this.streams.publish({
      stream: activityRecorded.stream,
      subject: subjectOf(activityRecorded, this.options.service),
      id: randomUUID(),
      body: `{"activities":[${activities.join(',')}]}`,
      headers: {},
    })
  }

  private flush(): Promise<void> {
    this.flushing ??= this.publishWaiting().finally(() => {
      this.flushing = undefined
    })
    return this.flushing
  }

  private async publishWaiting(): Promise<void> {
    while (this.waiting.length > 0 && this.streams.connection.client) {
      const batch = this.waiting.splice(0, batchLength(this.waiting))
      try {
        await this.publish(batch)
      } catch {
        this.waiting.unshift(...batch)
        this.dropOldest()
        return
      }
    }
  }

  private dropOldest(): void {
    const excess = this.waiting.length - MAX_WAITING
    if (excess <= 0) return
    this.waiting.splice(0, excess)
    this.lose(excess)
  }

  private lose(count: number): void {
    this.metrics.activityLost.inc(count)
  }

  private async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.flushing
    await this.flush()
    this.lose(this.waiting.length)
  }
}

/** How many records, from the first, fit into one message. */
function batchLength(records: readonly string[]): number {
  let bytes = 0
  let length = 0
  for (const record of records) {
    bytes += Buffer.byteLength(record)
    if (bytes > MAX_BYTES || length === MAX_BATCH) break
    length += 1
  }
  return Math.max(1, length)
}
