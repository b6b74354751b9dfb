import { type DynamicModule, type INestApplication, Module } from '@nestjs/common'
import { ActivitySink } from '@trestle/runtime/activity'
import { SecurityEventSink } from '@trestle/runtime/security-trail'
import { ActivityBuffer } from './activity-buffer.js'
import { Broadcasts } from './broadcasts.js'
import { DeadLetters } from './dead-letters.js'
import { EventConsumers } from './event-consumers.js'
import { EventSubscriptions } from './event-subscriptions.js'
import { HandlerErrors } from './handler-errors.js'
import { Inbox } from './inbox.js'
import { MessagingOptions } from './messaging-options.js'
import { NatsClient } from './nats.client.js'
import { NatsStrategy } from './nats.strategy.js'
import { NatsConnection } from './nats-connection.js'
import { Outbox } from './outbox.js'
import { OutboxActivitySink } from './outbox-activity-sink.js'
import { OutboxMonitor } from './outbox-monitor.js'
import { OutboxRelay } from './outbox-relay.js'
import { OutboxSecurityEventSink } from './outbox-security-event-sink.js'
import { RequestServer } from './request-server.js'
import { Retention } from './retention.js'
import { Signatures } from './signatures.js'
import { StreamFailures } from './stream-failures.js'
import { StreamOwner } from './stream-owner.js'
import { Streams } from './streams.js'

const PROVIDERS = [
  NatsConnection,
  Signatures,
  StreamFailures,
  NatsClient,
  EventSubscriptions,
  Broadcasts,
  Streams,
  HandlerErrors,
  DeadLetters,
  Inbox,
  RequestServer,
  EventConsumers,
  NatsStrategy,
  ActivityBuffer,
]
const DATABASE_PROVIDERS = [OutboxRelay, Outbox, OutboxMonitor, Retention]

/** Global: `NatsClient`, `EventSubscriptions` and `Broadcasts`; with a `schema` also the `Outbox`. Stores the service's activity records and security events. */
@Module({})
export class MessagingModule {
  static forRoot(options: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: [
        { provide: MessagingOptions, useValue: options },
        { provide: ActivitySink, useClass: OutboxActivitySink },
        { provide: SecurityEventSink, useClass: OutboxSecurityEventSink },
        ...PROVIDERS,
        ...(options.schema ? DATABASE_PROVIDERS : []),
        ...(options.streams ? [StreamOwner] : []),
      ],
      exports: [
        NatsConnection,
        MessagingOptions,
        Signatures,
        NatsClient,
        EventSubscriptions,
        Broadcasts,
        NatsStrategy,
        ActivitySink,
        SecurityEventSink,
        ...(options.schema ? [Outbox, OutboxMonitor, DeadLetters, EventConsumers] : []),
      ],
    }
  }
}

/** Starts the app's `.consumer.ts` classes; part of `prepare` of `bootService`. */
export async function connectMessaging(app: INestApplication): Promise<void> {
  app.connectMicroservice({ strategy: app.get(NatsStrategy) })
  await app.startAllMicroservices()
}
