import { setTimeout as delay } from 'node:timers/promises'
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import { Logger } from '@trestle/runtime/logger'
import { type EventAddress, Streams } from './streams.js'

export interface DurableConsumerOptions {
  readonly name: string
  readonly event: EventAddress
  /** How many messages may be taken at once. */
  readonly limit: number
}

const PREFETCH = 16
const PULL_MS = 5_000
const RETRY_MS = 250

/** Pulls the messages of one durable consumer, which it makes again when it is gone. */
export class DurableConsumer {
  private readonly stopped = new AbortController()
  private messages?: ConsumerMessages
  private running: Promise<void> = Promise.resolve()

  constructor(
    private readonly options: DurableConsumerOptions,
    private readonly streams: Streams,
    private readonly logger: Logger,
    private readonly take: (messages: JsMsg[]) => Promise<void>,
  ) {}

  start(): void {
    // After an interruption the consumer, or the whole stream, may be gone.
    this.streams.connection.onConnected(() => this.messages?.stop())
    this.running = this.run()
  }

  /** Takes no more, and finishes what was fetched: nats-server 2.9 may lose track of a message that is given back to nobody. */
  async stop(): Promise<void> {
    this.stopped.abort()
    this.messages?.stop()
    await this.running
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped
    while (!signal.aborted) {
      if (this.streams.connection.client) {
        await this.consume().catch((error: unknown) =>
          this.logger.warn({ err: error, consumer: this.options.name }, 'a consumer was interrupted; it is tried again'),
        )
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }

  private async consume(): Promise<void> {
    const { event: fact, name, limit } = this.options
    const consumer = await this.streams.consumer(fact, name)
    if (this.stopped.signal.aborted) return
    this.messages = await consumer.consume({ max_messages: PREFETCH, expires: PULL_MS, abort_on_missing_resource: true })
    for await (const batch of batches(this.messages, limit)) await this.take(batch)
  }
}

/** What has arrived, up to so many at once, without waiting for more than one. */
async function* batches(messages: AsyncIterable<JsMsg>, limit: number): AsyncGenerator<JsMsg[]> {
  const iterator = messages[Symbol.asyncIterator]()
  const pull = () => {
    const pulled = iterator.next()
    // It may fail while the batch before is in hand; whoever awaits it hears of it.
    pulled.catch(() => {})
    return pulled
  }
  let next = pull()
  for (let first = await next; !first.done; first = await next) {
    const batch = [first.value]
    next = pull()
    while (batch.length < limit) {
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
