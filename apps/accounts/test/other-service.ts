import { Broadcasts } from '@trestle/messaging/broadcasts'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { NatsClient } from '@trestle/messaging/nats.client'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import type { TestNats } from '@trestle/testing/nats'

/** What another service has of NATS: accounts may neither send itself requests, nor publish the events of others. */
export function connectOtherService(nats: TestNats, service = 'staking') {
  const options = { service, ...natsOptions(nats.env(service)) }
  const logger = createLogger(service, 'silent')
  const lifecycle = new Lifecycle(logger)
  const connection = new NatsConnection(options, logger, new Metrics(), lifecycle)
  connection.onModuleInit()
  return {
    connection,
    client: new NatsClient(connection, new Broadcasts(options, connection, logger, lifecycle)),
    close: () => lifecycle.run('close'),
  }
}
