import { Broadcasts } from '@trestle/messaging/broadcasts'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { NatsClient } from '@trestle/messaging/nats.client'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import type { TestNats } from '@trestle/testing/nats'

/** The NATS client of staking, which accounts replies to: accounts may not ask itself. */
export function connectOtherService(nats: TestNats) {
  const options = { service: 'staking', ...natsOptions(nats.env('staking')) }
  const logger = createLogger('staking', 'silent')
  const lifecycle = new Lifecycle(logger)
  const connection = new NatsConnection(options, logger, new Metrics(), lifecycle)
  connection.onModuleInit()
  return {
    client: new NatsClient(connection, new Broadcasts(options, connection, logger, lifecycle)),
    close: () => lifecycle.run('close'),
  }
}
