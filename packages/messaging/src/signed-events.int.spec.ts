import { randomUUID } from 'node:crypto'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, nanos, type NatsConnection as RawConnection } from '@nats-io/transport-node'
import { Controller } from '@nestjs/common'
import { domainEvent } from '@trestle/contracts/message'
import { Pool } from 'pg'
import { z } from 'zod'
import { refusalsOf, startSigner, untilConnected } from '../test/rights.js'
import { Collector, startDatabase, startReplica, startTestNats, stopAll, type TestReplica, waitUntil } from '../test/service.js'
import { Consumes, ConsumesBatch, type Delivery } from './consumes.js'
import { EventSubscriptions } from './event-subscriptions.js'
import { toHeaders } from './message-context.js'
import { MAX_AGE_MS, Signatures } from './signatures.js'
import { Streams } from './streams.js'

const rightLost = domainEvent({
  subject: 'accounts.right.lost',
  stream: 'ACCOUNTS',
  payload: z.object({ n: z.int() }),
  signedBy: 'accounts',
})

const batches = new Collector<number[]>()

@Controller()
class Counting {
  @Consumes(rightLost, { durable: 'counting' })
  async count({ n }: { n: number }, { client }: Delivery) {
    await client.query('INSERT INTO effect (n) VALUES ($1)', [n])
  }

  @ConsumesBatch(rightLost, { durable: 'batching' })
  take(events: { n: number }[]) {
    batches.add(events.map(({ n }) => n))
  }
}

describe('an event about rights', () => {
  let intruder: RawConnection
  let accounts: TestReplica
  let shop: TestReplica
  let heard: Collector<number>

  beforeEach(async () => {
    batches.all.length = 0
    const nats = await startTestNats()
    intruder = await connect(nats.administrator)
    const database = await startDatabase()
    accounts = await startSigner(nats)
    shop = await startReplica({ nats, database, controllers: [Counting] })
    heard = new Collector()
    shop.get(EventSubscriptions).subscribe(rightLost, ({ n }) => heard.add(n))
    await untilConnected(shop)
    await publish(1)
    await processed(1)
  })

  afterEach(async () => {
    await intruder.close()
    await stopAll()
  })

  it('takes effect once from accounts', async () => {
    expect(await effects()).toEqual([1])
    expect(batches.all).toEqual([[1]])
    expect(heard.all).toEqual([1])
    expect(await refusalsOf(shop)).toEqual([])
  })

  it('has no effect from whoever else publishes it', async () => {
    await inject(randomUUID(), '{"n":999999}', {})
    await processed(2)
    await expectOnly([1], 'unsigned')
  })

  it('has no effect with another body, id or time', async () => {
    const { body, id, headers } = await stored()
    await inject(id, body.replace('1', '2'), headers)
    await inject(randomUUID(), body, headers)
    await inject(id, body, { ...headers, 'Signed-At': new Date(Date.now() + 60_000).toISOString() })
    await processed(4)
    await expectOnly([1], 'forged')
  })

  it('has no effect when it is published again', async () => {
    const { body, id, headers } = await stored()
    await inject(id, body, headers)
    await processed(2)
    expect(await effects()).toEqual([1])
    expect(batches.all).toEqual([[1]])
  })

  it('has no effect when it is published again after the inbox has forgotten it', async () => {
    const at = new Date(Date.now() - MAX_AGE_MS.stored - 1_000).toISOString()
    const [id, body] = [randomUUID(), '{"n":2}']
    await inject(id, body, signedAt(at, id, body))
    await processed(2)
    await expectOnly([1], 'stale')
  })

  it('takes effect when it has waited in the stream, but is not news', async () => {
    const at = new Date(Date.now() - MAX_AGE_MS.stored + 60_000).toISOString()
    const [id, body] = [randomUUID(), '{"n":2}']
    await inject(id, body, signedAt(at, id, body))
    await processed(2)
    expect(await effects()).toEqual([1, 2])
    expect(heard.all).toEqual([1])
  })

  it('leaves no dead letter when it is refused', async () => {
    await inject(randomUUID(), '{"n":2}', {})
    await processed(2)
    const { rows } = await shop.get(Pool).query('SELECT FROM dead_letter')
    expect(rows).toEqual([])
  })

  async function publish(n: number): Promise<void> {
    await accounts.get(Streams).publish({ ...rightLost, id: randomUUID(), body: JSON.stringify({ n }), headers: {} })
  }

  /** The first message of the stream, for the intruder to use. */
  async function stored() {
    const manager = await jetstreamManager(intruder, { checkAPI: false })
    const message = await manager.streams.getMessage(rightLost.stream, { seq: 1 })
    const [id = '', at = '', signature = ''] = ['Nats-Msg-Id', 'Signed-At', 'Signature'].map((name) => message?.header.get(name))
    return { id, body: message?.string() ?? '', headers: { 'Signed-At': at, Signature: signature } }
  }

  /** After the time in which JetStream drops a repeated id. */
  async function inject(id: string, body: string, headers: Record<string, string>): Promise<void> {
    const manager = await jetstreamManager(intruder, { checkAPI: false })
    await manager.streams.update(rightLost.stream, { duplicate_window: nanos(100) })
    const options = { headers: toHeaders({ ...headers, 'Nats-Msg-Id': id }) }
    await waitUntil(async () => !(await jetstream(intruder).publish(rightLost.subject, body, options)).duplicate)
  }

  function signedAt(at: string, id: string, body: string): Record<string, string> {
    const { toISOString } = Date.prototype
    try {
      Date.prototype.toISOString = () => at
      return accounts.get(Signatures).eventHeaders({ subject: rightLost.subject, id, body })
    } finally {
      Date.prototype.toISOString = toISOString
    }
  }

  async function processed(messages: number): Promise<void> {
    const manager = await jetstreamManager(intruder, { checkAPI: false })
    await waitUntil(async () => {
      const infos = await Promise.all(
        ['shop-counting', 'shop-batching'].map((name) => manager.consumers.info('ACCOUNTS', name).catch(() => undefined)),
      )
      return infos.every((info) => info?.ack_floor.stream_seq === messages && info.num_pending === 0)
    })
  }

  async function expectOnly(numbers: number[], reason: string): Promise<void> {
    expect(await effects()).toEqual(numbers)
    expect(batches.all.flat()).toEqual(numbers)
    expect(heard.all).toEqual(numbers)
    expect(await refusalsOf(shop)).toEqual([expect.stringContaining(`reason="${reason}"`)])
  }

  async function effects(): Promise<number[]> {
    const { rows } = await shop.get(Pool).query<{ n: number }>('SELECT n FROM effect ORDER BY n')
    return rows.map(({ n }) => n)
  }
})
