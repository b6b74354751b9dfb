import { AckPolicy, type ConsumerInfo, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, nanos } from '@nats-io/transport-node'
import { Controller } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { currentRequestId, requestIds } from '@trestle/runtime/request'
import type { TestNats } from '@trestle/testing/nats'
import type { TestDatabase } from '@trestle/testing/postgres'
import { Pool } from 'pg'
import {
  addItems,
  Collector,
  itemAdded,
  startDatabase,
  startReplica,
  startTestNats,
  stopAll,
  type TestReplica,
  waitUntil,
} from '../test/service.js'
import { Consumes, ConsumesBatch, type Delivery } from './consumes.js'
import { DeadLetters } from './dead-letters.js'
import { EventConsumers } from './event-consumers.js'
import { NatsConnection } from './nats-connection.js'

const taken = new Collector<number>()
const batches = new Collector<number[]>()
const causes = new Collector<string | undefined>()
let before: (n: number) => Promise<void> | void = () => {}

@Controller()
class Counting {
  @Consumes(itemAdded, { durable: 'counting' })
  async count({ n }: { n: number }, { client }: Delivery) {
    await client.query('INSERT INTO effect (n) VALUES ($1)', [n])
    taken.add(n)
    causes.add(currentRequestId())
    await before(n)
  }
}

@Controller()
class Batching {
  @ConsumesBatch(itemAdded, { durable: 'batching' })
  async take(items: { n: number }[]) {
    for (const { n } of items) await before(n)
    batches.add(items.map(({ n }) => n))
  }
}

describe(EventConsumers, () => {
  let nats: TestNats
  let database: TestDatabase
  let shop: TestReplica

  beforeEach(async () => {
    before = () => {}
    for (const seen of [taken, batches, causes]) seen.all.length = 0
    nats = await startTestNats()
    database = await startDatabase()
    shop = await start()
  })

  afterEach(stopAll)

  it('processes each event once, in order, with two replicas at work', async () => {
    await start(Counting)
    await start(Counting)
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    await addItems(shop, numbers)
    await settled('shop-counting', 200)
    expect(await effects()).toEqual(numbers)
  })

  it('runs in the context of the request that published the event', async () => {
    await start(Counting)
    await requestIds.run('request-1', () => addItems(shop, [1]))
    expect(await causes.atLeast(1)).toEqual(['request-1'])
  })

  it('retries a failed event, and rolls back what the failed attempt wrote', async () => {
    let failures = 1
    before = () => {
      if (failures-- > 0) throw new Error('not yet')
    }
    await start(Counting)
    await addItems(shop, [1])
    expect(await taken.atLeast(2)).toEqual([1, 1])
    await settled('shop-counting', 1)
    expect(await effects()).toEqual([1])
  })

  it('does not let a poisonous event block those behind it', async () => {
    before = (n) => {
      if (n === 0) throw new Error('poison')
    }
    await start(Counting)
    await addItems(shop, [0, 1, 2])
    await waitUntil(async () => (await effects()).length === 2)
    expect(await effects()).toEqual([1, 2])
  })

  it('gives up a poisonous event after twenty deliveries', async () => {
    before = () => {
      throw new Error('poison')
    }
    await addItems(shop, [1])
    await deliverInVain('shop-counting', 19)
    const counting = await start(Counting)
    await settled('shop-counting', 1)
    expect(taken.all).toEqual([1])
    expect(await effects()).toEqual([])
    expect(await counting.get(DeadLetters).list(10)).toMatchObject([
      { fact: itemAdded.subject, consumer: 'shop-counting', content: '{"n": 1}', error: 'InternalError: poison', attempts: 20 },
    ])
    expect(await counting.get(Metrics).registry.metrics()).toContain('dead_letters_total{consumer="shop-counting"} 1')
  })

  it('gives up a malformed event at once', async () => {
    const counting = await start(Counting)
    await addItems(shop, [1])
    await settled('shop-counting', 1)
    await tell('{"n":"two"}')
    await addItems(shop, [3])
    await settled('shop-counting', 3)
    expect(await effects()).toEqual([1, 3])
    expect(await counting.get(Metrics).registry.metrics()).toContain('dead_letters_total{consumer="shop-counting"} 1')
  })

  it('passes several events at once to a consumer of batches', async () => {
    await addItems(
      shop,
      Array.from({ length: 100 }, (_, n) => n),
    )
    await start(Batching)
    await settled('shop-batching', 100)
    expect(batches.all.flat()).toEqual(Array.from({ length: 100 }, (_, n) => n))
    expect(Math.max(...batches.all.map((batch) => batch.length))).toBeGreaterThan(1)
  })

  it('processes the rest of a batch with a poisonous event in it', async () => {
    before = (n) => {
      if (n === 5) throw new Error('poison')
    }
    await addItems(shop, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    await start(Batching)
    await waitUntil(() => new Set(batches.all.flat()).size === 9)
    expect(batches.all.flat()).not.toContain(5)
  })

  it('finishes the current event when it stops, and leaves the rest to another replica', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    before = () => promise
    const stopping = await start(Counting)
    const numbers = Array.from({ length: 40 }, (_, n) => n)
    await addItems(shop, numbers)
    await waitUntil(async () => (await unpublished()) === 0)
    await taken.atLeast(1)
    const stopped = stopping.stop()
    resolve()
    await stopped
    const finished = (await effects()).length
    expect(finished).toBeLessThan(40)
    expect(await consumerInfo('shop-counting')).toMatchObject({ ack_floor: { stream_seq: finished }, num_ack_pending: 0 })
    await start(Counting)
    await settled('shop-counting', 40)
    expect(await effects()).toEqual(numbers)
  })

  it('processes each event once after NATS was killed and wiped', async () => {
    const taking = await start(Counting)
    await addItems(shop, [0, 1, 2, 3, 4])
    await settled('shop-counting', 5)
    await taking.stop()
    await addItems(shop, [5, 6, 7, 8, 9])
    await waitUntil(async () => (await unpublished()) === 0)
    await nats.kill()
    await addItems(shop, [10, 11, 12, 13, 14])
    await nats.wipe()
    await start(Counting)
    await waitUntil(async () => (await effects()).length === 15)
    await settled('shop-counting', 15)
    expect(await effects()).toEqual(Array.from({ length: 15 }, (_, n) => n))
  })

  it('continues with the same consumer after NATS was restarted', async () => {
    await start(Counting)
    await addItems(shop, [0, 1])
    await settled('shop-counting', 2)
    await nats.kill()
    await addItems(shop, [2, 3])
    await nats.start()
    await waitUntil(async () => (await effects()).length === 4)
    expect(await effects()).toEqual([0, 1, 2, 3])
  })

  async function start(...controllers: (typeof Counting | typeof Batching)[]): Promise<TestReplica> {
    const service = await startReplica({ nats, database, controllers })
    await waitUntil(() => service.get(NatsConnection).client !== undefined)
    return service
  }

  async function effects(): Promise<number[]> {
    const { rows } = await shop.get(Pool).query<{ n: number }>('SELECT n FROM effect ORDER BY n')
    return rows.map(({ n }) => n)
  }

  async function unpublished(): Promise<number> {
    const { rows } = await shop.get(Pool).query('SELECT count(*)::int AS count FROM outbox WHERE published_at IS NULL')
    return rows[0].count
  }

  /** When the stream has so many messages, and the consumer is done with each. */
  async function settled(name: string, messages: number): Promise<void> {
    await waitUntil(async () => {
      const info = await consumerInfo(name)
      return info?.ack_floor.stream_seq === messages && info.num_pending === 0 && info.num_ack_pending === 0
    })
  }

  async function consumerInfo(name: string): Promise<ConsumerInfo | undefined> {
    const { client } = shop.get(NatsConnection)
    const manager = client && (await jetstreamManager(client, { checkAPI: false }))
    return manager?.consumers.info('SHOP', name).catch(() => undefined)
  }

  async function deliverInVain(name: string, deliveries: number): Promise<void> {
    const client = shop.get(NatsConnection).client!
    await waitUntil(async () => (await unpublished()) === 0)
    const manager = await jetstreamManager(client)
    await manager.consumers.add('SHOP', {
      durable_name: name,
      filter_subject: itemAdded.subject,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(60_000),
    })
    const consumer = await jetstream(client).consumers.get('SHOP', name)
    for (let delivery = 0; delivery < deliveries; delivery++) (await consumer.next())?.nak()
    await client.flush()
  }

  async function tell(text: string): Promise<void> {
    const client = await connect(nats.administrator)
    await jetstream(client).publish(itemAdded.subject, text, { msgID: 'unreadable' })
    await client.close()
  }
})
