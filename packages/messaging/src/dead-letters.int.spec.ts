import { jetstream } from '@nats-io/jetstream'
import { Controller } from '@nestjs/common'
import { Pool } from 'pg'
import { itemAdded, startDatabase, startReplica, startTestNats, stopAll, type TestReplica, waitUntil } from '../test/service.js'
import { Consumes, ConsumesBatch, type Delivery } from './consumes.js'
import { DeadLetters } from './dead-letters.js'
import { EventConsumers } from './event-consumers.js'
import { NatsConnection } from './nats-connection.js'
import { Streams } from './streams.js'

let broken = false

@Controller()
class Counting {
  @Consumes(itemAdded, { durable: 'counting' })
  async count({ n }: { n: number }, { client }: Delivery) {
    await client.query('INSERT INTO effect (n) VALUES ($1)', [n])
    if (broken) throw new Error('not\0yet')
  }
}

@Controller()
class Batching {
  constructor(private readonly pool: Pool) {}

  @ConsumesBatch(itemAdded, { durable: 'batching' })
  async take(items: { n: number }[]) {
    for (const { n } of items) await this.pool.query('INSERT INTO effect (n) VALUES ($1)', [n])
  }
}

describe(DeadLetters, () => {
  let shop: TestReplica

  beforeEach(async () => {
    broken = false
    shop = await startReplica({ nats: await startTestNats(), database: await startDatabase(), controllers: [Counting, Batching] })
    await waitUntil(() => shop.get(NatsConnection).client !== undefined)
  })

  afterEach(stopAll)

  it('take effect when they are retried, once, however many retry them at the same time', async () => {
    const id = await letter({ consumer: 'shop-counting' })
    await Promise.all([retry(id), retry(id)])
    expect(await effects()).toEqual([7])
  })

  it('are retried one by one by a consumer of batches', async () => {
    await retry(await letter({ consumer: 'shop-batching' }))
    expect(await effects()).toEqual([7])
  })

  it('stay when they fail again, with the new reason and without what the attempt wrote', async () => {
    const id = await letter({ consumer: 'shop-counting' })
    broken = true
    await expect(retry(id)).rejects.toMatchObject({ kind: 'conflict', code: 'GivenUpAgain' })
    expect(await effects()).toEqual([])
    expect(await listed()).toMatchObject([{ id, error: 'InternalError: not\ufffdyet', attempts: 21 }])
  })

  it('cannot be retried when their consumer is gone', async () => {
    const id = await letter({ consumer: 'shop-removed' })
    await expect(retry(id)).rejects.toMatchObject({ kind: 'conflict', code: 'ConsumerGone' })
    expect(await listed()).toMatchObject([{ id, attempts: 20 }])
  })

  it('are discarded once', async () => {
    const id = await letter({ consumer: 'shop-counting' })
    await shop.get(DeadLetters).remove(id)
    for (const again of [() => shop.get(DeadLetters).remove(id), () => retry(id)])
      await expect(again()).rejects.toMatchObject({ kind: 'unknown', code: 'UnknownDeadLetter' })
  })

  it('keep a malformed event, and name the malformed member', async () => {
    await tell(Uint8Array.from([0x22, 0xff, 0x00, 0x22]))
    await tell(new TextEncoder().encode(`{"n":"${'two '.repeat(1_000)}"}`))
    await waitUntil(async () => (await listed()).length === 4)
    const letters = (await listed()).filter(({ consumer }) => consumer === 'shop-counting')
    expect(letters.map(({ content }) => content).sort()).toEqual(['"\ufffd\0"', `{"n":"${'two '.repeat(1_000)}`.slice(0, 1_000)])
    expect(letters.map(({ error }) => error).sort()).toEqual([
      expect.stringMatching(/^InvalidMessage: .* expected object/),
      expect.stringMatching(/^InvalidMessage: .* n: /),
    ])
    await expect(retry(letters[0]!.id)).rejects.toMatchObject({ code: 'GivenUpAgain' })
  })

  it('are stored later when they cannot be stored at once', async () => {
    await shop.get(Pool).query('ALTER TABLE dead_letter RENAME TO away')
    await tell(new TextEncoder().encode('{}'))
    await waitUntil(async () => (await deliveries('shop-counting')) > 1)
    await shop.get(Pool).query('ALTER TABLE away RENAME TO dead_letter')
    await waitUntil(async () => (await listed()).length === 2)
  })

  function retry(id: string): Promise<void> {
    return shop
      .get(DeadLetters)
      .find(id)
      .then((found) => shop.get(EventConsumers).retry(found))
  }

  function listed() {
    return shop.get(DeadLetters).list(10)
  }

  async function letter({ consumer }: { consumer: string }): Promise<string> {
    const { rows } = await shop.get(Pool).query<{ id: string }>(
      `INSERT INTO dead_letter (consumer, message_id, subject, body, error, attempts)
       VALUES ($1, 'message', $2, '{"n":7}', 'InternalError: poison', 20) RETURNING id`,
      [consumer, itemAdded.subject],
    )
    return rows[0]!.id
  }

  async function effects(): Promise<number[]> {
    const { rows } = await shop.get(Pool).query<{ n: number }>('SELECT n FROM effect')
    return rows.map(({ n }) => n)
  }

  async function deliveries(consumer: string): Promise<number> {
    const { consumers } = jetstream(shop.get(NatsConnection).client!)
    const found = await consumers.get('SHOP', consumer).catch(() => undefined)
    return found ? (await found.info()).delivered.consumer_seq : 0
  }

  async function tell(body: Uint8Array): Promise<void> {
    await shop.get(Streams).state(itemAdded.stream)
    await jetstream(shop.get(NatsConnection).client!).publish(itemAdded.subject, body)
  }
})
