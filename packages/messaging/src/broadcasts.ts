import type { Subscription } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import type { Broadcast, PayloadOf } from '@trestle/contracts/message'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import type { z } from 'zod'
import { decode } from './envelope.js'
import { MessagingOptions } from './messaging-options.js'
import { NatsConnection } from './nats-connection.js'
import { subjectOf } from './streams.js'

/** Talk among the processes of one service that is worth nothing a moment later: said once, kept nowhere. */
@Injectable()
export class Broadcasts {
  private readonly subscriptions: Subscription[] = []

  constructor(
    private readonly options: MessagingOptions,
    private readonly connection: NatsConnection,
    private readonly logger: Logger,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain(() => {
      for (const subscription of this.subscriptions) subscription.unsubscribe()
    })
  }

  /** Says it now; false when nobody can hear it, as NATS is away. */
  publish<B extends Broadcast>(broadcast: B, payload: z.input<B['payload']>): boolean {
    const { client } = this.connection
    client?.publish(subjectOf(broadcast, this.options.service), JSON.stringify(payload))
    return client !== undefined
  }

  /** Hears what is said within this service, one's own words too. */
  subscribe<B extends Broadcast>(broadcast: B, listener: (payload: PayloadOf<B>) => void): void {
    this.connection.onFirstConnected((client) => {
      const subject = subjectOf(broadcast, this.options.service)
      const callback = (error: Error | null, { data }: { data: Uint8Array }) => {
        try {
          if (error) throw error
          listener(decode(broadcast.payload, data) as PayloadOf<B>)
        } catch (failure) {
          this.logger.error({ err: failure, subject }, 'a broadcast could not be heard')
        }
      }
      this.subscriptions.push(client.subscribe(subject, { callback }))
    })
  }
}
