import type { Subscription } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import type { Broadcast, PayloadOf } from '@trestle/contracts/message'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import type { z } from 'zod'
import { decode } from './envelope.js'
import { NatsConnection } from './nats-connection.js'
import { subjectOf } from './streams.js'

/** Messages among the processes of one service that are worthless a moment later: published once, stored nowhere. */
@Injectable()
export class Broadcasts {
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

  /** Publishes now; false while NATS is away. */
  publish<B extends Broadcast>(broadcast: B, payload: z.input<B['payload']>): boolean {
    const { client } = this.connection
    client?.publish(subjectOf(broadcast, this.connection.service), JSON.stringify(payload))
    return client !== undefined
  }

  /** Receives what the processes of this service publish, this one included. */
  subscribe<B extends Broadcast>(broadcast: B, listener: (payload: PayloadOf<B>) => void): void {
    this.connection.onFirstConnected((client) => {
      const subject = subjectOf(broadcast, this.connection.service)
      const callback = (error: Error | null, { data }: { data: Uint8Array }) => {
        try {
          if (error) throw error
          listener(decode(broadcast.payload, data) as PayloadOf<B>)
        } catch (failure) {
          this.logger.error({ err: failure, subject }, 'a broadcast could not be processed')
        }
      }
      this.subscriptions.push(client.subscribe(subject, { callback }))
    })
  }
}
