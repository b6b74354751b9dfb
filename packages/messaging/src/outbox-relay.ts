import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { transaction } from '@trestle/database/transaction'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Pool, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg'
import { type EventAddress, STREAM_HEADER, Streams } from './streams.js'

interface Row {
  id: string
  subject: string
  payload: string
  headers: Record<string, string>
}

interface Published {
  id: string
  incarnation: string
}

const BATCH = 100
const POLL_MS = 1_000
const BUSY_MS = 50
// Postgres ends a transaction that is idle for ten seconds.
const TURN_MS = 5_000
// Once in the life of a process, or of a stream, the whole table is read.
const FULL_SCAN_MS = 300_000

/**
 * Publishes the outbox in its order. Replicas take turns under an advisory lock. What a crash publishes a second
 * time is dropped by JetStream (the same message id) or by the consumer's inbox.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap {
  private poll?: NodeJS.Timeout
  private isRequested = false
  private isStopped = false
  private running?: Promise<void>
  /** The events in this outbox, by subject; known once the table was first read. */
  private addresses?: Map<string, EventAddress>
  /** The incarnation of each stream that has all published rows. */
  private refilled = new Map<string, string>()

  constructor(
    private readonly pool: Pool,
    private readonly streams: Streams,
    private readonly logger: Logger,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onFlush(() => this.stop())
  }

  onApplicationBootstrap(): void {
    this.poll = setInterval(() => this.wake(), POLL_MS)
    this.streams.connection.onConnected(() => this.wake())
  }

  /** Reads the outbox now: to be called right after a commit. */
  wake(): void {
    this.isRequested = true
    this.running ??= this.run()
  }

  private async stop(): Promise<void> {
    clearInterval(this.poll)
    this.wake()
    await this.running
    this.isStopped = true
  }

  private async run(): Promise<void> {
    // It must not end before `wake` has assigned `running`.
    await undefined
    while (this.isRequested && !this.isStopped && this.streams.connection.client) {
      this.isRequested = false
      try {
        this.isRequested = (await this.publishNext()) || this.isRequested
      } catch (error) {
        this.logger.warn({ err: error }, 'the outbox could not be read or updated; trying again')
      }
    }
    this.running = undefined
  }

  /** Publishes a batch; resolves to whether there may be more. */
  private async publishNext(): Promise<boolean> {
    const incarnations = await this.incarnations()
    const more = await transaction(this.pool, async (client) => {
      if (!(await tryLock(client))) return undefined
      if (!this.addresses) {
        this.addresses = await readAddresses(client)
        return true
      }
      await this.refill(client, incarnations)
      const published = await this.publish(await nextRows(client))
      await markPublished(client, published)
      return published.length > 0
    })
    if (more === undefined) setTimeout(() => this.wake(), BUSY_MS).unref()
    else this.refilled = incarnations
    return more ?? false
  }

  private async incarnations(): Promise<Map<string, string>> {
    const incarnations = new Map<string, string>()
    for (const address of this.addresses?.values() ?? []) incarnations.set(address.stream, await this.streams.ensure(address))
    return incarnations
  }

  /** Marks the rows that a stream has lost for publishing: a wiped NATS gets back what it held, in order. */
  private async refill(client: PoolClient, incarnations: Map<string, string>): Promise<void> {
    for (const [stream, incarnation] of incarnations) {
      if (this.refilled.get(stream) === incarnation) continue
      const rows = await unmarkLost(client, stream, incarnation)
      if (rows > 0) this.logger.warn({ stream, rows }, 'a stream may have lost messages; publishing them again')
    }
  }

  /** One after another, as each must be stored before the next; what was published before a failure counts. */
  private async publish(rows: Row[]): Promise<Published[]> {
    const published: Published[] = []
    const end = Date.now() + TURN_MS
    try {
      for (const { id, subject, payload, headers } of rows) {
        if (Date.now() > end) break
        const address = { stream: headers[STREAM_HEADER] ?? '', subject }
        this.addresses?.set(subject, address)
        published.push({ id, incarnation: await this.streams.publish({ ...address, id, body: payload, headers }) })
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'a domain event could not be published; trying again')
    }
    return published
  }
}

async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_try_advisory_xact_lock(hashtext('outbox'), hashtext(current_schema())) AS held")
  return rows[0].held
}

async function readAddresses(client: PoolClient): Promise<Map<string, EventAddress>> {
  const { rows } = await scan<EventAddress>(client, 'SELECT DISTINCT headers->>$1 AS stream, subject FROM outbox', [STREAM_HEADER])
  return new Map(rows.map((address) => [address.subject, address]))
}

async function nextRows(client: PoolClient): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    'SELECT id, subject, payload::text AS payload, headers FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT $1',
    [BATCH],
  )
  return rows
}

async function markPublished(client: PoolClient, published: Published[]): Promise<void> {
  await client.query(
    `UPDATE outbox SET published_at = clock_timestamp(), stream_id = incarnation
     FROM unnest($1::uuid[], $2::text[]) AS published (id, incarnation) WHERE outbox.id = published.id`,
    [published.map(({ id }) => id), published.map(({ incarnation }) => incarnation)],
  )
}

/** An incarnation is the stream's creation time and the server's id; a restarted server may lack what was never synced to disk. */
async function unmarkLost(client: PoolClient, stream: string, incarnation: string): Promise<number> {
  const { rowCount } = await scan(
    client,
    `UPDATE outbox SET published_at = NULL
     WHERE published_at IS NOT NULL AND headers->>$1 = $2 AND (split_part(stream_id, ' ', 1) <> split_part($3, ' ', 1)
       OR (stream_id <> $3 AND published_at > clock_timestamp() - interval '2 minutes'))`,
    [STREAM_HEADER, stream, incarnation],
  )
  return rowCount ?? 0
}

async function scan<R extends QueryResultRow>(client: PoolClient, text: string, values: unknown[]): Promise<QueryResult<R>> {
  await client.query(`SET LOCAL statement_timeout = ${FULL_SCAN_MS}`)
  return client.query<R>({ text, values, query_timeout: FULL_SCAN_MS } as QueryConfig)
}
