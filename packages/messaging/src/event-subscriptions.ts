import type { Subscription } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import type { DomainEvent, PayloadOf } from '@trestle/contracts/message'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { decode } from './envelope.js'
import { inContextOf } from './message-context.js'
import { NatsConnection } from './nats-connection.js'
import { Signatures } from './signatures.js'
import { subjectOf } from './streams.js'

/** Delivers domain events to every replica as they are published; one that is away misses them, unlike a durable consumer. */
@Injectable()
export class EventSubscriptions {
  private readonly subscriptions: Subscription[] = []

  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: Logger,
    private readonly signatures: Signatures,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain(() => {
      for (const subscription of this.subscriptions) subscription.unsubscribe()
    })
  }

  /** Runs at every connection, the first one included: events published before it may have been missed. */
  onConnected(listener: () => void): void {
    this.connection.onConnected(listener)
  }

  /**
   * Of an event whose subject begins with `*`, only those that this service publishes itself.
   * The listener may get an event again: its effect must be idempotent.
   */
  subscribe<E extends DomainEvent>(event: E, listener: (payload: PayloadOf<E>) => Promise<void> | void): void {
    this.connection.onFirstConnected((client) => {
      const subject = subjectOf(event, this.connection.service)
      const subscription = client.subscribe(subject, {
        callback: (error, message) => {
          if (error) return this.logger.error({ err: error, subject }, 'a subscription failed')
          if (!this.signatures.acceptsEvent(event, message, 'live')) return
          inContextOf(message, async () => listener(decode(event.payload, message.data) as PayloadOf<E>)).catch((failure: unknown) =>
            this.logger.error({ err: failure, subject: message.subject }, 'a domain event could not be processed'),
          )
        },
      })
      this.subscriptions.push(subscription)
    })
  }
}
