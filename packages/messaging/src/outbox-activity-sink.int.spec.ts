import { randomUUID } from 'node:crypto'
import { Controller } from '@nestjs/common'
import { type Activity, activityRecorded } from '@trestle/contracts/activity'
import { ActivitySink } from '@trestle/runtime/activity'
import { Metrics } from '@trestle/runtime/metrics'
import type { TestNats } from '@trestle/testing/nats'
import { Pool } from 'pg'
import { Collector, startDatabase, startReplica, startTestNats, stopAll, type TestReplica, waitUntil } from '../test/service.js'
import { ConsumesBatch } from './consumes.js'
import { NatsConnection } from './nats-connection.js'
import { OutboxActivitySink } from './outbox-activity-sink.js'

const stored = new Collector<string>()
const messages = new Collector<number>()

@Controller()
class Storing {
  @ConsumesBatch(activityRecorded, { durable: 'activity' })
  store(batch: { activities: Activity[] }[]) {
    for (const { activities } of batch) {
      messages.add(activities.length)
      for (const { id } of activities) stored.add(id)
    }
  }
}

describe(OutboxActivitySink, () => {
  let nats: TestNats

  beforeEach(async () => {
    stored.all.length = 0
    messages.all.length = 0
    nats = await startTestNats()
    await startReplica({ service: 'accounts', nats, controllers: [Storing] })
  })

  afterEach(stopAll)

  it('stores a durable record in the outbox before it resolves', async () => {
    const shop = await startReplica({ nats, database: await startDatabase() })
    const record = activity({ input: { name: 'a\u0000b' } })
    await shop.get(ActivitySink).record(record, 'durable')
    const { rows } = await shop.get(Pool).query('SELECT subject FROM outbox')
    expect(rows).toEqual([{ subject: 'shop.activity.recorded' }])
    expect(await stored.atLeast(1)).toEqual([record.id])
  })

  it('stores a durable record in JetStream before it resolves, in a service without a database', async () => {
    const shop = await startConnected()
    const record = activity()
    await shop.get(ActivitySink).record(record, 'durable')
    expect(await stored.atLeast(1)).toEqual([record.id])
  })

  it('refuses a durable record that cannot be stored', async () => {
    const shop = await startConnected()
    await nats.kill()
    await waitUntil(() => shop.get(NatsConnection).client === undefined)
    await expect(shop.get(ActivitySink).record(activity(), 'durable')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'StreamUnavailable',
    })
  })

  it('publishes many batched records in few messages', async () => {
    const shop = await startConnected()
    const records = Array.from({ length: 5_000 }, () => activity())
    for (const record of records) void shop.get(ActivitySink).record(record, 'batched')
    expect(await stored.atLeast(5_000)).toEqual(records.map(({ id }) => id))
    expect(Math.max(...messages.all)).toBeLessThanOrEqual(500)
    expect(messages.all.length).toBeLessThan(50)
  })

  it('publishes what is buffered when the service stops', async () => {
    const shop = await startConnected()
    const records = [activity(), activity()]
    for (const record of records) void shop.get(ActivitySink).record(record, 'batched')
    await shop.stop()
    expect(await stored.atLeast(2)).toEqual(records.map(({ id }) => id))
  })

  it('buffers the newest records while NATS is away, up to a limit', async () => {
    const shop = await startConnected()
    await nats.kill()
    await waitUntil(() => shop.get(NatsConnection).client === undefined)
    const records = Array.from({ length: 10_100 }, () => activity())
    for (const record of records) void shop.get(ActivitySink).record(record, 'batched')
    expect(await shop.get(Metrics).registry.metrics()).toContain('activity_lost_total 100')
    await nats.start()
    expect(await stored.atLeast(10_000)).toEqual(records.slice(100).map(({ id }) => id))
  })

  it('splits long records over messages, and drops one that exceeds a message', async () => {
    const shop = await startConnected()
    const long = Array.from({ length: 30 }, () => activity({ input: { text: 'x'.repeat(100_000) } }))
    for (const record of [activity({ input: { text: 'x'.repeat(600_000) } }), ...long])
      void shop.get(ActivitySink).record(record, 'batched')
    expect(await stored.atLeast(30)).toEqual(long.map(({ id }) => id))
  })

  async function startConnected(): Promise<TestReplica> {
    const service = await startReplica({ nats })
    await waitUntil(() => service.get(NatsConnection).client !== undefined)
    return service
  }
})

function activity(overrides: Partial<Activity> = {}): Activity {
  const now = '2026-01-01T00:00:00.000Z'
  return {
    id: `event-${randomUUID()}`,
    user: `user-${randomUUID()}`,
    service: 'shop',
    input: { method: 'GET', route: '/items' },
    output: { startTime: now, endTime: now, httpStatusCode: 200, bytesOut: 2 },
    serviceData: {},
    createdAt: now,
    ...overrides,
  }
}
