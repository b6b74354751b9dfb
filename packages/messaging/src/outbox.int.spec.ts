import { jest } from '@jest/globals'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { domainEvent } from '@trestle/contracts/message'
import { transaction } from '@trestle/database/transaction'
import type { TestNats } from '@trestle/testing/nats'
import type { TestDatabase } from '@trestle/testing/postgres'
import fc from 'fast-check'
import { Client, Pool } from 'pg'
import { z } from 'zod'
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
import { EventSubscriptions } from './event-subscriptions.js'
import { NatsConnection } from './nats-connection.js'
import { Outbox } from './outbox.js'
import { OutboxMonitor } from './outbox-monitor.js'
import { Retention } from './retention.js'
import { Streams } from './streams.js'

describe(Outbox, () => {
  let nats: TestNats
  let database: TestDatabase
  let first: TestReplica
  let second: TestReplica

  beforeEach(async () => {
    nats = await startTestNats()
    database = await startDatabase()
    first = await startReplica({ nats, database })
    second = await startReplica({ nats, database })
    await waitUntil(() => Boolean(first.get(NatsConnection).client && second.get(NatsConnection).client))
  })

  afterEach(async () => {
    jest.restoreAllMocks()
    await stopAll()
  })

  it('publishes to every replica what was committed', async () => {
    const heard = [listen(first), listen(second)]
    await addItems(first, [1, 2, 3])
    for (const seen of heard) expect(await seen.atLeast(3)).toEqual([1, 2, 3])
  })

  it('publishes what was committed without being woken', async () => {
    const heard = listen(second)
    await first.get(Outbox).add(first.get(Pool), itemAdded, { n: 1 })
    expect(await heard.atLeast(1)).toEqual([1])
  })

  it('publishes what is committed, and never what is rolled back', async () => {
    const heard = listen(second)
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), async (commits) => {
        const before = heard.all.length
        const numbered = commits.map((commit) => ({ commit, n: count++ }))
        await Promise.all(numbered.map(({ commit, n }) => addOne(first, n, commit)))
        await addItems(first, [count])
        const expected = [...numbered.filter(({ commit }) => commit).map(({ n }) => n), count++]
        expect((await heard.atLeast(before + expected.length)).slice(before).sort((a, b) => a - b)).toEqual(expected)
      }),
      { numRuns: 15 },
    )
  })

  it('keeps the order with two relays at work, and stores nothing twice', async () => {
    const numbers = Array.from({ length: 1000 }, (_, n) => n)
    for (let start = 0; start < numbers.length; start += 50) {
      await addItems(start % 100 ? first : second, numbers.slice(start, start + 50))
      first.get(Outbox).wake()
      second.get(Outbox).wake()
    }
    await waitUntil(async () => (await waiting(first)) === 0)
    expect(await stored(first)).toEqual(numbers)
  })

  it('stores once what a relay published before it crashed', async () => {
    const ids: string[] = []
    for (const streams of [first.get(Streams), second.get(Streams)]) {
      const publish = streams.publish.bind(streams)
      jest.spyOn(streams, 'publish').mockImplementation(async (message) => {
        const incarnation = await publish(message)
        if (ids.push(message.id) === 1) await endRelays(database)
        return incarnation
      })
    }
    await addItems(first, [1, 2])
    await waitUntil(async () => (await waiting(first)) === 0)
    expect(ids.slice(1)).toContain(ids[0])
    expect(await stored(first)).toEqual([1, 2])
  })

  it('continues in order after a failure', async () => {
    const publish = Streams.prototype.publish.bind(first.get(Streams))
    jest.spyOn(first.get(Streams), 'publish').mockImplementationOnce(publish).mockRejectedValueOnce(new Error('timeout'))
    await addItems(first, [1, 2, 3])
    await waitUntil(async () => (await waiting(first)) === 0)
    expect(await stored(first)).toEqual([1, 2, 3])
  })

  it('publishes again what NATS acknowledged and lost in a crash', async () => {
    await addItems(first, [1, 2, 3])
    await waitUntil(async () => (await waiting(first)) === 0)
    const manager = await jetstreamManager(first.get(NatsConnection).client!)
    await manager.streams.deleteMessage('SHOP', 3)
    await nats.kill()
    await nats.start()
    await waitUntil(() =>
      stored(first).then(
        (numbers) => numbers.includes(3),
        () => false,
      ),
    )
  })

  it('shows the unpublished events while NATS is away', async () => {
    await nats.kill()
    const numbers = Array.from({ length: 25 }, (_, n) => n)
    await addItems(first, numbers)
    const { waiting: count, next } = await first.get(OutboxMonitor).state()
    expect([count, next.length, next[0]?.fact]).toEqual([25, 20, itemAdded.subject])
    expect(next.map(({ createdAt }) => createdAt)).toEqual(next.map(({ createdAt }) => createdAt).toSorted())
    await nats.start()
    await waitUntil(async () => (await first.get(OutboxMonitor).state()).waiting === 0)
  })

  it('refuses an event that is malformed, or longer than a NATS message', async () => {
    const outbox = first.get(Outbox)
    const long = domainEvent({ subject: 'shop.text.written', stream: 'SHOP', payload: z.string() })
    await expect(outbox.add(first.get(Pool), itemAdded, { n: 0.5 })).rejects.toThrow(z.ZodError)
    await expect(outbox.add(first.get(Pool), long, 'x'.repeat(600_000))).rejects.toThrow(RangeError)
    expect(await waiting(first)).toBe(0)
  })

  it('takes part in a transaction of Prisma', async () => {
    const heard = listen(second)
    const pool = first.get(Pool)
    const $executeRawUnsafe = (sql: string, ...values: unknown[]) => pool.query(sql, values)
    await first.get(Outbox).add({ $executeRawUnsafe }, itemAdded, { n: 7 })
    expect(await heard.atLeast(1)).toEqual([7])
  })

  it('deletes published rows after a day, dead letters after thirty, and nothing else', async () => {
    const pool = first.get(Pool)
    await second.stop()
    await addItems(first, [1, 2])
    // A relay that compares for the first time takes a row for lost that is older than the stream: by now it has.
    await waitUntil(async () => (await waiting(first)) === 0)
    await pool.query("UPDATE outbox SET published_at = now() - interval '25 hours' WHERE payload->>'n' = '1'")
    await pool.query(
      "INSERT INTO inbox (consumer, message_id, received_at) VALUES ('a', '1', now() - interval '10 days'), ('a', '2', now() - interval '8 days')",
    )
    await pool.query(`INSERT INTO dead_letter (consumer, message_id, subject, body, error, attempts, given_up_at)
      SELECT 'a', n, 's', ''::bytea, 'e', 1, now() - (n * interval '1 second') FROM generate_series(1, 10001) AS n
      UNION ALL SELECT 'b', 1, 's', '', 'e', 1, now() - interval '31 days'`)
    await first.get(Retention).sweep()
    expect((await pool.query("SELECT payload->>'n' AS n FROM outbox")).rows).toEqual([{ n: '2' }])
    expect((await pool.query('SELECT message_id FROM inbox')).rows).toEqual([{ message_id: '2' }])
    const letters = await pool.query(
      'SELECT count(*)::int AS count, max(message_id::int) AS oldest, max(consumer) AS consumer FROM dead_letter',
    )
    expect(letters.rows).toEqual([{ count: 10_000, oldest: 10_000, consumer: 'a' }])
  })
})

function listen(service: TestReplica): Collector<number> {
  const seen = new Collector<number>()
  service.get(EventSubscriptions).subscribe(itemAdded, ({ n }) => seen.add(n))
  return seen
}

async function addOne(service: TestReplica, n: number, commit: boolean): Promise<void> {
  const rolledBack = new Error('rolled back')
  const adding = transaction(service.get(Pool), async (client) => {
    await service.get(Outbox).add(client, itemAdded, { n })
    if (!commit) throw rolledBack
  })
  await adding.catch((error: unknown) => expect(error).toBe(rolledBack))
}

async function waiting(service: TestReplica): Promise<number> {
  const { rows } = await service.get(Pool).query('SELECT count(*)::int AS count FROM outbox WHERE published_at IS NULL')
  return rows[0].count
}

/** The numbers in the stream, in its order. */
async function stored(service: TestReplica): Promise<number[]> {
  const { client } = service.get(NatsConnection)
  const { state } = await (await jetstreamManager(client!)).streams.info('SHOP')
  const consumer = await jetstream(client!).consumers.get('SHOP')
  const numbers: number[] = []
  for await (const message of await consumer.fetch({ max_messages: state.messages })) numbers.push(message.json<{ n: number }>().n)
  return numbers
}

/** Ends the connections that are within a transaction, as a crash of their process does. */
async function endRelays({ adminUrl }: TestDatabase): Promise<void> {
  const admin = new Client(adminUrl)
  await admin.connect()
  await admin.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
  )
  await admin.end()
}
