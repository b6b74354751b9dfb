import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import { STREAM_HEADER, type StreamState } from './streams.js'

export interface OutboxRow {
  readonly id: string
  readonly stream: string
  readonly subject: string
  readonly payload: string
  readonly headers: Record<string, string>
  /** In milliseconds; null of a row that is published for the first time. */
  readonly republishAt: number | null
}

export interface Published {
  readonly id: string
  readonly streamId: string
  readonly seq: number
}

const BATCH = 100
// Once in the life of a process, and when a stream may have lost messages, the whole table is read.
const FULL_SCAN_MS = 300_000

// As the index `outbox_stored` has it.
const STREAM = `headers->>'${STREAM_HEADER}'`

export async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_try_advisory_xact_lock(hashtext('outbox'), hashtext(current_schema())) AS held")
  return rows[0].held
}

export async function readStreams(client: PoolClient): Promise<string[]> {
  const { rows } = await scan<{ stream: string }>(
    client,
    `SELECT DISTINCT ${STREAM} AS stream FROM outbox WHERE headers ? '${STREAM_HEADER}'`,
  )
  return rows.map(({ stream }) => stream)
}

/** The next rows in their order; none behind one that is still held back. */
export async function nextRows(client: PoolClient): Promise<OutboxRow[]> {
  const { rows } = await client.query<OutboxRow & { isHeld: boolean }>(
    `SELECT id, coalesce(${STREAM}, '') AS stream, subject, payload::text AS payload, headers,
       (extract(epoch FROM republish_at) * 1000)::float8 AS "republishAt", coalesce(republish_at > clock_timestamp(), false) AS "isHeld"
     FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT ${BATCH}`,
  )
  const held = rows.findIndex(({ isHeld }) => isHeld)
  return held < 0 ? rows : rows.slice(0, held)
}

/** The greatest sequence that a stream has acknowledged; 0 of one that has acknowledged nothing yet. */
export async function greatestSeq(client: PoolClient, stream: string): Promise<number> {
  const { rows } = await client.query(`SELECT coalesce(max(stream_seq), 0)::float8 AS seq FROM outbox WHERE ${STREAM} = $1`, [stream])
  return rows[0].seq
}

export async function markPublished(client: PoolClient, published: readonly Published[]): Promise<void> {
  await client.query(
    `UPDATE outbox SET published_at = clock_timestamp(), stream_id = published.stream_id, stream_seq = seq
     FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS published (id, stream_id, seq) WHERE outbox.id = published.id`,
    [published.map(({ id }) => id), published.map(({ streamId }) => streamId), published.map(({ seq }) => seq)],
  )
}

/**
 * Marks the rows for publishing that a stream has lost or may have lost, by its state: what it never acknowledged with a sequence, what
 * is behind its end, older than its first message, or of a stream created before; and, as nats-server syncs to disk late, what other
 * servers acknowledged in the last two minutes.
 */
export async function markLost(client: PoolClient, stream: string, state: StreamState, holdMs: number): Promise<number> {
  const { rowCount } = await scan(
    client,
    `UPDATE outbox SET published_at = NULL, stream_seq = NULL, republish_at = clock_timestamp() + $2 * interval '1 ms'
     WHERE published_at IS NOT NULL AND ${STREAM} = $1 AND (stream_seq IS NULL OR stream_seq > $3
       OR (stream_seq >= $4 AND published_at < $5::timestamptz + interval '5 s')
       OR split_part(stream_id, ' ', 1) <> $6 OR (stream_id <> $7 AND published_at > clock_timestamp() - interval '2 minutes'))`,
    [stream, holdMs, state.lastSeq, state.firstSeq, state.firstTime, state.created, streamIdOf(state)],
  )
  return rowCount ?? 0
}

/** What a row remembers of the stream that stored it: when it was created, and by whose word. */
export function streamIdOf({ created, servers }: StreamState): string {
  return `${created} ${servers}`
}

async function scan<R extends QueryResultRow>(client: PoolClient, text: string, values: unknown[] = []): Promise<QueryResult<R>> {
  await client.query(`SET LOCAL statement_timeout = ${FULL_SCAN_MS}`)
  return client.query<R>({ text, values, query_timeout: FULL_SCAN_MS } as QueryConfig)
}
