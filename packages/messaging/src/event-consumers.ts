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
import { pauseAfter, retryDelay } from './redelivery.js'
import { Streams } from './streams.js'

export interface EventConsumer extends ConsumerDeclaration {
  readonly name: string
  readonly handler: (payload: unknown, delivery?: Delivery) => Promise<unknown>
}

interface Readable {
  readonly message: TracedMessage
  readonly id: string
  readonly payload: unknown
}

interface Received extends Readable {
  readonly message: JsMsg
}

const BATCH = 16

/** Brings facts to the methods that consume them, and tells JetStream how it went. */
@Injectable()
export class EventConsumers {
  private readonly consumers = new Map<string, EventConsumer>()
  private readonly pulling: DurableConsumer[] = []

  constructor(
    private readonly streams: Streams,
    private readonly inbox: Inbox,
    private readonly failures: HandlerErrors,
    private readonly logger: Logger,
  ) {}

  start(consumer: EventConsumer): void {
    const { name, event: fact, batch } = consumer
    const durable = new DurableConsumer({ name, event: fact, limit: batch ? BATCH : 1 }, this.streams, this.logger, (messages) =>
      this.take(consumer, messages),
    )
    this.consumers.set(name, consumer)
    this.pulling.push(durable)
    durable.start()
  }

  async drain(): Promise<void> {
    await Promise.all(this.pulling.map((durable) => durable.stop()))
  }

  /** Takes a fact that was given up into effect after all: here and now, and once. */
  async retry(letter: FailedMessage): Promise<void> {
    const consumer = this.consumers.get(letter.consumer)
    if (!consumer) throw consumerGone(letter.consumer)
    try {
      const payload = decode(consumer.event.payload, letter.body)
      await this.apply(consumer, [{ message: letter, id: letter.messageId, payload }])
    } catch (error) {
      const problem = this.failures.problemOf(error, letter.consumer)
      if (problem.kind === 'unavailable') throw problem
      await this.failures.giveUp({ ...letter, attempts: letter.attempts + 1 }, problem)
      throw givenUpAgain(problem)
    }
  }

  private async take(consumer: EventConsumer, messages: JsMsg[]): Promise<void> {
    const received: Received[] = []
    for (const message of messages) {
      const readable = await this.read(consumer, message)
      if (readable) received.push(readable)
    }
    if (received.length === 0) return
    try {
      await this.apply(consumer, received)
      for (const { message } of received) message.ack()
    } catch (error) {
      await this.settle(consumer, received, this.failures.problemOf(error, consumer.name))
    }
  }

  private async read(consumer: EventConsumer, message: JsMsg): Promise<Received | undefined> {
    try {
      return { message, id: idOf(message), payload: decode(consumer.event.payload, message.data) }
    } catch (error) {
      // It will not become readable by being sent again.
      await this.giveUp(consumer, message, error as Problem)
      return undefined
    }
  }

  private async apply({ name, batch, handler }: EventConsumer, received: Readable[]): Promise<void> {
    if (batch) await handler(received.map(({ payload }) => payload))
    else
      for (const { message, id, payload } of received)
        await inContextOf(message, () =>
          this.inbox.once(name, id, async (client) => {
            await handler(payload, { messageId: id, client })
          }),
        )
  }

  private async settle(consumer: EventConsumer, received: Received[], problem: Problem): Promise<void> {
    // One bad message must not keep its neighbours from taking effect.
    const apart = received.length > 1 && problem.kind !== 'unavailable'
    for (const { message } of received) {
      if (apart) await this.take(consumer, [message])
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
    const kept = await this.failures.giveUp({ consumer: name, messageId: idOf(message), subject, body, attempts }, problem)
    if (kept) message.term()
    else message.nak(pauseAfter(attempts))
  }
}

function idOf(message: JsMsg): string {
  return message.headers?.get('Nats-Msg-Id') || String(message.seq)
}

function consumerGone(name: string): Problem {
  return new Problem('conflict', 'ConsumerGone', `Nothing here consumes facts as ${name} any more: discard what it gave up.`)
}

function givenUpAgain(cause: Problem): Problem {
  return new Problem('conflict', 'GivenUpAgain', 'It could not be taken into effect this time either; its entry tells why.', { cause })
}
