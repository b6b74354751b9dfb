import { Broadcasts } from '@trestle/messaging/broadcasts'
import { natsOptions } from '@trestle/messaging/messaging-options'
import { NatsClient } from '@trestle/messaging/nats.client'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { Signatures } from '@trestle/messaging/signatures'
import { StreamFailures } from '@trestle/messaging/stream-failures'
import { Streams } from '@trestle/messaging/streams'
import { parseEnv, serviceEnv } from '@trestle/runtime/env'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import type { TestNats } from '@trestle/testing/nats'
import { z } from 'zod'

const SETTINGS = { NODE_ENV: 'test', PORT: '0', INTERNAL_PORT: '0', PUBLIC_URL: 'https://trestle.test', DATABASE_URL: 'postgres://none' }

/** What another service has of NATS: accounts may neither send itself requests, nor publish the events of others. */
export function connectOtherService(nats: TestNats, service = 'staking') {
  const env = parseEnv(z.object(serviceEnv), { ...SETTINGS, ...nats.env(service) })
  const options = { service, ...natsOptions(env) }
  const logger = createLogger(service, 'silent')
  const lifecycle = new Lifecycle(logger)
  const metrics = new Metrics()
  const connection = new NatsConnection(options, logger, metrics, lifecycle)
  const signatures = new Signatures(options, logger, metrics)
  connection.onModuleInit()
  return {
    connection,
    streams: new Streams(connection, signatures, new StreamFailures(logger, metrics)),
    client: new NatsClient(connection, new Broadcasts(connection, logger, lifecycle), signatures),
    close: () => lifecycle.run('close'),
  }
}
