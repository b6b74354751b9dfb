import { setTimeout as delay } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { Controller } from '@nestjs/common'
import { domainEvent } from '@trestle/contracts/message'
import { transaction } from '@trestle/database/transaction'
import { Pool } from 'pg'
import { z } from 'zod'
import { Consumes, type Delivery } from '../src/consumes.js'
import { NatsConnection } from '../src/nats-connection.js'
import { Outbox } from '../src/outbox.js'
import { KEPT, startReplica } from './service.js'

// A replica of a service in a process of its own, which adds lines, publishes them and consumes them until it is killed.

const KEYS = 8
const PAUSE_MS = 20
// What a killed replica had received is delivered again after this time, instead of a minute.
const ACK_WAIT_MS = 2_000

const lineAdded = domainEvent({
  subject: 'shop.line.added',
  stream: 'SHOP',
  payload: z.object({ n: z.int(), key: z.string() }),
  orderedBy: 'key',
})

@Controller()
class Lines {
  @Consumes(lineAdded, { durable: 'lines' })
  async add({ n, key }: { n: number; key: string }, { client }: Delivery) {
    await client.query('INSERT INTO line_effect (n, key) VALUES ($1, $2)', [n, key])
  }
}

const streams = [{ ...KEPT, name: 'SHOP', subjects: [lineAdded.subject], consumers: [{ name: 'shop-lines', subject: lineAdded.subject }] }]

const [natsUrl = '', databaseUrl = ''] = process.argv.slice(2)
const database = { url: databaseUrl, adminUrl: '', drop: async () => {} }
const shop = await startReplica({ nats: { url: natsUrl }, database, controllers: [Lines], streams, replicas: 3, level: 'info' })
const pool = shop.get(Pool)
const outbox = shop.get(Outbox)

setInterval(() => void shortenAckWait().catch(() => {}), 500)

for (let count = 0; ; count++) {
  const key = `key-${count % KEYS}`
  await transaction(pool, async (client) => {
    // Lines of one key are added one after another, as changes of one row are.
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [key])
    const { rows } = await client.query<{ n: number }>('INSERT INTO line (key) VALUES ($1) RETURNING n', [key])
    await outbox.add(client, lineAdded, { n: rows[0]?.n ?? 0, key })
  })
  outbox.wake()
  await delay(PAUSE_MS)
}

/** The consumer may have been created again. */
async function shortenAckWait(): Promise<void> {
  const { client } = shop.get(NatsConnection)
  if (!client) return
  const { consumers } = await jetstreamManager(client, { checkAPI: false })
  const { config } = await consumers.info('SHOP', 'shop-lines')
  if (config.ack_wait !== nanos(ACK_WAIT_MS)) await consumers.update('SHOP', 'shop-lines', { ack_wait: nanos(ACK_WAIT_MS) })
}
