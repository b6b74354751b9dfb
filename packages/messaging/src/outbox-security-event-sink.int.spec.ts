import { randomUUID } from 'node:crypto'
import { Controller } from '@nestjs/common'
import { type SecurityEvent, securityEventsRecorded } from '@trestle/contracts/security-event'
import { SecurityEventSink } from '@trestle/runtime/security-trail'
import type { TestNats } from '@trestle/testing/nats'
import { Pool } from 'pg'
import { Collector, startDatabase, startReplica, startTestNats, stopAll, waitUntil } from '../test/service.js'
import { ConsumesBatch } from './consumes.js'
import { NatsConnection } from './nats-connection.js'
import { OutboxSecurityEventSink } from './outbox-security-event-sink.js'

const logged = new Collector<string>()

@Controller()
class Logging {
  @ConsumesBatch(securityEventsRecorded, { durable: 'security' })
  log(batch: { events: SecurityEvent[] }[]) {
    for (const { events } of batch) for (const { id } of events) logged.add(id)
  }
}

describe(OutboxSecurityEventSink, () => {
  let nats: TestNats

  beforeEach(async () => {
    logged.all.length = 0
    nats = await startTestNats()
    await startReplica({ service: 'accounts', nats, controllers: [Logging] })
  })

  afterEach(stopAll)

  it('stores an event in the outbox before it resolves, also while NATS is away', async () => {
    const shop = await startReplica({ nats, database: await startDatabase() })
    await nats.kill()
    await waitUntil(() => shop.get(NatsConnection).client === undefined)
    const events = Array.from({ length: 5 }, () => securityEvent())
    await Promise.all(events.map((event) => shop.get(SecurityEventSink).record(event)))
    const { rows } = await shop.get(Pool).query('SELECT DISTINCT subject, published_at FROM outbox')
    expect(rows).toEqual([{ subject: 'shop.security-event.recorded', published_at: null }])
    await nats.start()
    expect((await logged.atLeast(5)).sort()).toEqual(events.map(({ id }) => id).sort())
  })

  it('stores an event in JetStream before it resolves, in a service without a database', async () => {
    const shop = await startReplica({ nats })
    await waitUntil(() => shop.get(NatsConnection).client !== undefined)
    const event = securityEvent()
    await shop.get(SecurityEventSink).record(event)
    expect(await logged.atLeast(1)).toEqual([event.id])
  })
})

function securityEvent(): SecurityEvent {
  return {
    id: `security-${randomUUID()}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    kind: 'key-created',
    outcome: 'success',
    clientAddress: '127.0.0.1',
    service: 'shop',
    method: 'POST',
    route: '/keys',
    target: {},
    status: 200,
    requestId: 'request-1',
  }
}
