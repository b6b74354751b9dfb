import { type DynamicModule, type INestApplication, Module } from '@nestjs/common'
import { ActivitySink } from '@trestle/runtime/activity'
import { ActivityBuffer } from './activity-buffer.js'
import { Broadcasts } from './broadcasts.js'
import { DeadLetters } from './dead-letters.js'
import { FactConsumers } from './fact-consumers.js'
import { Facts } from './facts.js'
import { Failures } from './failures.js'
import { Inbox } from './inbox.js'
import { MessagingOptions } from './messaging-options.js'
import { MessagingStrategy } from './messaging-strategy.js'
import { Messenger } from './messenger.js'
import { NatsConnection } from './nats-connection.js'
import { Outbox } from './outbox.js'
import { OutboxActivitySink } from './outbox-activity-sink.js'
import { OutboxRelay } from './outbox-relay.js'
import { OutboxWatch } from './outbox-watch.js'
import { QuestionServer } from './question-server.js'
import { Retention } from './retention.js'
import { Streams } from './streams.js'

const ALWAYS = [
  NatsConnection,
  Messenger,
  Facts,
  Broadcasts,
  Streams,
  Failures,
  DeadLetters,
  Inbox,
  QuestionServer,
  FactConsumers,
  MessagingStrategy,
  ActivityBuffer,
]
const WITH_DATABASE = [OutboxRelay, Outbox, OutboxWatch, Retention]

/** Global: `Messenger`, `Facts` and `Broadcasts`, and with a `schema` the `Outbox`; takes in the service's activity records. */
@Module({})
export class MessagingModule {
  static forRoot(options: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: [
        { provide: MessagingOptions, useValue: options },
        { provide: ActivitySink, useClass: OutboxActivitySink },
        ...ALWAYS,
        ...(options.schema ? WITH_DATABASE : []),
      ],
      exports: [
        NatsConnection,
        MessagingOptions,
        Messenger,
        Facts,
        Broadcasts,
        MessagingStrategy,
        ActivitySink,
        ...(options.schema ? [Outbox, OutboxWatch, DeadLetters, FactConsumers] : []),
      ],
    }
  }
}

/** Makes the app's `.consumer.ts` classes answer questions and consume facts; part of `prepare` of `bootService`. */
export async function connectMessaging(app: INestApplication): Promise<void> {
  app.connectMicroservice({ strategy: app.get(MessagingStrategy) })
  await app.startAllMicroservices()
}
