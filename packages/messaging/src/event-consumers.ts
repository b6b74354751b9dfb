import type { JsMsg } from '@nats-io/jetstream'
import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Logger } from '@trestle/runtime/logger'
import type { ConsumerDeclaration, Delivery } from './consumes.js'
import type { FailedMessage } from './dead-letters.js'
import { DurableConsumer } from './durable-consumer.js'
import { decode } from './envelope.js'
import { HandlerErrors } from './handler-errors.js'
import { Inbox } from './inbox.js'
import { inContextOf, type TracedMessage } from './message-context.js'
import { eventIdOf } from './message-id.js'
import { pauseAfter, retryDelay } from './redelivery.js'
import { Streams } from './streams.js'

interface EventConsumer extends ConsumerDeclaration {
  readonly name: string
  /** Of one event and its delivery, or of a batch and its publishers. */
  readonly handler: (payload: unknown, context: Delivery | readonly string[]) => Promise<unknown>
}

interface Parsed {
  readonly message: TracedMessage
  readonly id: string
  readonly payload: unknown
}

interface Received extends Parsed {
  readonly message: JsMsg
}

const MAX_BATCH = 16

/** Delivers domain events to the methods that consume them, and acknowledges them to JetStream. */
@Injectable()
export class EventConsumers {
  private readonly consumers = new Map<string, EventConsumer>()
  private readonly pulling: DurableConsumer[] = []

  constructor(
    private readonly streams: Streams,
    private readonly inbox: Inbox,
    private readonly errors: HandlerErrors,
    private readonly logger: Logger,
  ) {}

  start(consumer: EventConsumer): void {
    const { name, event, batch } = consumer
    const durable = new DurableConsumer({ name, event, maxBatch: batch ? MAX_BATCH : 1 }, this.streams, this.logger, (messages) =>
      this.process(consumer, messages),
    )
    this.consumers.set(name, consumer)
    this.pulling.push(durable)
    durable.start()
  }

  async drain(): Promise<void> {
    await Promise.all(this.pulling.map((durable) => durable.stop()))
  }

  /** Processes an event that was given up, now and in effect once. */
  async retry(letter: FailedMessage): Promise<void> {
    const consumer = this.consumers.get(letter.consumer)
    if (!consumer) throw consumerGone(letter.consumer)
    try {
      const payload = decode(consumer.event.payload, letter.body)
      await this.apply(consumer, [{ message: letter, id: letter.messageId, payload }])
    } catch (error) {
      const problem = this.errors.problemOf(error, letter.consumer)
      if (problem.kind === 'unavailable') throw problem
      await this.errors.giveUp({ ...letter, attempts: letter.attempts + 1 }, problem)
      throw givenUpAgain(problem)
    }
  }

  private async process(consumer: EventConsumer, messages: JsMsg[]): Promise<void> {
    const received: Received[] = []
    for (const message of messages) {
      // No dead letter: an administrator who retries it would give it effect.
      if (!this.streams.signatures.acceptsEvent(consumer.event, message, 'stored')) {
        message.term()
        continue
      }
      const parsed = await this.parse(consumer, message)
      if (parsed) received.push(parsed)
    }
    if (received.length === 0) return
    try {
      await this.apply(consumer, received)
      for (const { message } of received) message.ack()
    } catch (error) {
      await this.reject(consumer, received, this.errors.problemOf(error, consumer.name))
    }
  }

  private async parse(consumer: EventConsumer, message: JsMsg): Promise<Received | undefined> {
    try {
      return { message, id: idOf(message), payload: decode(consumer.event.payload, message.data) }
    } catch (error) {
      // A redelivery would be just as malformed.
      await this.giveUp(consumer, message, error as Problem)
      return undefined
    }
  }

  private async apply({ name, event, batch, handler }: EventConsumer, received: Parsed[]): Promise<void> {
    // Whoever can publish can publish a signed event again: the inbox keeps it from taking effect again, whatever happened in between.
    if (batch && !event.signedBy) {
      const publishers = received.map(({ message }) => publisherOf(message))
      await handler(
        received.map(({ payload }) => payload),
        publishers,
      )
    } else
      for (const { message, id, payload } of received)
        await inContextOf(message, () =>
          this.inbox.once(name, id, async (client) => {
            await (batch ? handler([payload], [publisherOf(message)]) : handler(payload, { messageId: id, client }))
          }),
        )
  }

  private async reject(consumer: EventConsumer, received: Received[], problem: Problem): Promise<void> {
    // One bad message must not hold up the rest of its batch.
    const apart = received.length > 1 && problem.kind !== 'unavailable'
    for (const { message } of received) {
      if (apart) await this.process(consumer, [message])
      else await this.retryLater(consumer, message, problem)
    }
  }

  private async retryLater(consumer: EventConsumer, message: JsMsg, problem: Problem): Promise<void> {
    const delayMs = retryDelay(problem, message.info.deliveryCount)
    if (delayMs === undefined) await this.giveUp(consumer, message, problem)
    else message.nak(delayMs)
  }

  private async giveUp({ name }: EventConsumer, message: JsMsg, problem: Problem): Promise<void> {
    const { subject, data: body, info } = message
    const attempts = info.deliveryCount
    const kept = await this.errors.giveUp({ consumer: name, messageId: idOf(message), subject, body, attempts }, problem)
    if (kept) message.term()
    else message.nak(pauseAfter(attempts))
  }
}

/** A deployment publishes under its own name only: `<deployment>.<noun>.<past-participle>`. */
function publisherOf({ subject }: TracedMessage): string {
  return subject.split('.', 1)[0] ?? subject
}

function idOf(message: JsMsg): string {
  return eventIdOf(message.headers?.get('Nats-Msg-Id') || String(message.seq))
}

function consumerGone(name: string): Problem {
  return new Problem('conflict', 'ConsumerGone', `There is no consumer ${name} any more: discard the dead letter.`)
}

function givenUpAgain(cause: Problem): Problem {
  return new Problem('conflict', 'GivenUpAgain', 'The consumer failed again; the dead letter says why.', { cause })
}
