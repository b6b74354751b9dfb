import type { Subscription } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import type { DomainEvent, PayloadOf } from '@trestle/contracts/message'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { decode } from './envelope.js'
import { inContextOf } from './message-context.js'
import { NatsConnection } from './nats-connection.js'

/** Hears of facts as they happen, in every replica, and misses those told while it was away; a durable consumer does not. */
@Injectable()
export class EventSubscriptions {
  private readonly subscriptions: Subscription[] = []

  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: Logger,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain(() => {
      for (const subscription of this.subscriptions) subscription.unsubscribe()
    })
  }

  /** Runs at every connection, the first one included: what was told before it may have been missed. */
  onConnected(listener: () => void): void {
    this.connection.onConnected(listener)
  }

  subscribe<F extends DomainEvent>(fact: F, listener: (payload: PayloadOf<F>) => Promise<void> | void): void {
    this.connection.onFirstConnected((client) => {
      const subscription = client.subscribe(fact.subject, {
        callback: (error, message) => {
          if (error) return this.logger.error({ err: error, subject: fact.subject }, 'a subscription failed')
          inContextOf(message, async () => listener(decode(fact.payload, message.data) as PayloadOf<F>)).catch((failure: unknown) =>
            this.logger.error({ err: failure, subject: message.subject }, 'a fact could not be heard'),
          )
        },
      })
      this.subscriptions.push(subscription)
    })
  }
}
