import { setTimeout as delay } from 'node:timers/promises'
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import { Logger } from '@trestle/runtime/logger'
import { type EventAddress, Streams } from './streams.js'

interface DurableConsumerOptions {
  readonly name: string
  readonly event: EventAddress
  /** The most messages of one batch. */
  readonly maxBatch: number
}

const PREFETCH = 16
const PULL_MS = 5_000
const RETRY_MS = 250

/** Pulls the messages of one durable consumer, and waits for accounts to create it again when it is gone. */
export class DurableConsumer {
  private readonly stopped = new AbortController()
  private messages?: ConsumerMessages
  private running: Promise<void> = Promise.resolve()
  private lastError = ''

  constructor(
    private readonly options: DurableConsumerOptions,
    private readonly streams: Streams,
    private readonly logger: Logger,
    private readonly handle: (messages: JsMsg[]) => Promise<void>,
  ) {}

  start(): void {
    // After an interruption the consumer, or the whole stream, may be gone.
    this.streams.connection.onConnected(() => this.messages?.stop())
    this.running = this.run()
  }

  /** Finishes what was fetched before it stops: nats-server 2.9 may lose track of a message that is neither acknowledged nor refused. */
  async stop(): Promise<void> {
    this.stopped.abort()
    this.messages?.stop()
    await this.running
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped
    while (!signal.aborted) {
      if (this.streams.connection.client) {
        await this.consume().catch((error: unknown) => this.logOnce(error as Error))
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Each reason once: starting is tried four times a second. */
  private logOnce(error: Error): void {
    if (error.message === this.lastError) return
    this.lastError = error.message
    this.logger.warn({ err: error, consumer: this.options.name }, 'a consumer was interrupted; it will be started again')
  }

  private async consume(): Promise<void> {
    const { event, name, maxBatch } = this.options
    const consumer = await this.streams.consumer(event.stream, name)
    if (this.stopped.signal.aborted) return
    this.messages = await consumer.consume({ max_messages: PREFETCH, expires: PULL_MS, abort_on_missing_resource: true })
    this.lastError = ''
    for await (const batch of batches(this.messages, maxBatch)) await this.handle(batch)
  }
}

/** Batches of what has arrived; waits for the first message of each only. */
async function* batches(messages: AsyncIterable<JsMsg>, max: number): AsyncGenerator<JsMsg[]> {
  const iterator = messages[Symbol.asyncIterator]()
  const pull = () => {
    const pulled = iterator.next()
    // It may reject while the previous batch is processed; the error surfaces where it is awaited.
    pulled.catch(() => {})
    return pulled
  }
  let next = pull()
  for (let first = await next; !first.done; first = await next) {
    const batch = [first.value]
    next = pull()
    while (batch.length < max) {
      const more = await Promise.race([next, immediate()])
      if (!more || more.done) break
      batch.push(more.value)
      next = pull()
    }
    yield batch
  }
}

function immediate(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(resolve, undefined))
}
