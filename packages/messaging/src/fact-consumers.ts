import type { JsMsg } from '@nats-io/jetstream'
import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Logger } from '@trestle/runtime/logger'
import type { ConsumerDeclaration, Delivery } from './consumes.js'
import { DurableConsumer } from './durable-consumer.js'
import { decode } from './envelope.js'
import { Failures } from './failures.js'
import { Inbox } from './inbox.js'
import { inContextOf } from './message-context.js'
import { retryDelay } from './redelivery.js'
import { Streams } from './streams.js'

export interface FactConsumer extends ConsumerDeclaration {
  readonly name: string
  readonly handler: (payload: unknown, delivery?: Delivery) => Promise<unknown>
}

interface Received {
  readonly message: JsMsg
  readonly id: string
  readonly payload: unknown
}

const BATCH = 16

/** Brings facts to the methods that consume them, and tells JetStream how it went. */
@Injectable()
export class FactConsumers {
  private readonly consumers: DurableConsumer[] = []

  constructor(
    private readonly streams: Streams,
    private readonly inbox: Inbox,
    private readonly failures: Failures,
    private readonly logger: Logger,
  ) {}

  start(consumer: FactConsumer): void {
    const { name, fact, batch } = consumer
    const durable = new DurableConsumer({ name, fact, limit: batch ? BATCH : 1 }, this.streams, this.logger, (messages) =>
      this.take(consumer, messages),
    )
    this.consumers.push(durable)
    durable.start()
  }

  async drain(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.stop()))
  }

  private async take(consumer: FactConsumer, messages: JsMsg[]): Promise<void> {
    const received = messages.flatMap((message) => this.read(consumer, message) ?? [])
    if (received.length === 0) return
    try {
      await this.apply(consumer, received)
      for (const { message } of received) message.ack()
    } catch (error) {
      await this.settle(consumer, received, this.failures.problemOf(error, consumer.name))
    }
  }

  private read(consumer: FactConsumer, message: JsMsg): Received | undefined {
    const id = message.headers?.get('Nats-Msg-Id') || String(message.seq)
    try {
      return { message, id, payload: decode(consumer.fact.payload, message.data) }
    } catch (error) {
      // It will not become readable by being sent again.
      this.failures.giveUp(error as Problem, consumer.name, id)
      message.term()
      return undefined
    }
  }

  private async apply({ name, batch, handler }: FactConsumer, received: Received[]): Promise<void> {
    if (batch) await handler(received.map(({ payload }) => payload))
    else
      for (const { message, id, payload } of received)
        await inContextOf(message, () =>
          this.inbox.once(name, id, async (client) => {
            await handler(payload, { messageId: id, client })
          }),
        )
  }

  private async settle(consumer: FactConsumer, received: Received[], problem: Problem): Promise<void> {
    // One bad message must not keep its neighbours from taking effect.
    const apart = received.length > 1 && problem.kind !== 'unavailable'
    for (const { message, id } of received) {
      if (apart) await this.take(consumer, [message])
      else this.retry(consumer, { message, id }, problem)
    }
  }

  private retry({ name }: FactConsumer, { message, id }: Pick<Received, 'message' | 'id'>, problem: Problem): void {
    const delayMs = retryDelay(problem, message.info.deliveryCount)
    if (delayMs !== undefined) message.nak(delayMs)
    else {
      this.failures.giveUp(problem, name, id)
      message.term()
    }
  }
}
