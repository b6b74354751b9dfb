import { TRY_ROW_LOCK } from '@trestle/database/row-lock'
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import { STREAM_HEADER, type StreamState } from './streams.js'

export interface OutboxRow {
  readonly id: string
  readonly stream: string
  readonly subject: string
  /** Events of a stream with the same key are published one after another. */
  readonly key: string
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

const BATCH = 2_000
const MAX_BATCH_BYTES = 16 * 1024 * 1024
// Once in the life of a process, and when a stream may have lost messages, the whole table is read.
const FULL_SCAN_MS = 300_000
// What is lost waits until accounts has reset the consumers that are ahead of the stream: it checks every two seconds.
const HOLD = "interval '5 seconds'"

// As the index `outbox_stored` has it.
const STREAM = `headers->>'${STREAM_HEADER}'`

/** Of several replicas one at a time publishes. */
export async function tryLock(client: PoolClient): Promise<boolean> {
  const { rowCount } = await client.query(TRY_ROW_LOCK, ['outbox'])
  return rowCount === 1
}

export async function readStreams(client: PoolClient): Promise<string[]> {
  const { rows } = await scan<{ stream: string }>(
    client,
    `SELECT DISTINCT ${STREAM} AS stream FROM outbox WHERE headers ? '${STREAM_HEADER}'`,
  )
  return rows.map(({ stream }) => stream)
}

interface Excluded {
  readonly streams: readonly string[]
  /** What is being published. A sequence would not do: rows are not committed in the order of their sequences. */
  readonly ids: readonly string[]
}

/** The next rows in their order; of each stream none behind one that is still held back. */
export async function nextRows(client: PoolClient, { streams, ids }: Excluded): Promise<OutboxRow[]> {
  const { rows } = await client.query<OutboxRow & { isHeld: boolean }>(
    `SELECT id, stream, subject, coalesce(key, subject) AS key, payload::text AS payload, headers,
       (extract(epoch FROM republish_at) * 1000)::float8 AS "republishAt", coalesce(republish_at > clock_timestamp(), false) AS "isHeld"
     FROM (SELECT *, sum(size) OVER (ORDER BY seq) - size AS bytes_before FROM (
       SELECT *, coalesce(${STREAM}, '') AS stream, pg_column_size(payload) AS size FROM outbox
       WHERE published_at IS NULL AND id <> ALL($1::uuid[]) AND coalesce(${STREAM}, '') <> ALL($2) ORDER BY seq LIMIT ${BATCH}) AS next) AS sized
     WHERE bytes_before < ${MAX_BATCH_BYTES} ORDER BY seq`,
    [ids, streams],
  )
  const held = new Set<string>()
  return rows.filter(({ stream, isHeld }) => {
    if (isHeld) held.add(stream)
    return !held.has(stream)
  })
}

/** The greatest sequence that each of these streams has acknowledged. */
export async function greatestSeqs(client: PoolClient, streams: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ stream: string; seq: number }>(
    `SELECT stream, (SELECT coalesce(max(stream_seq), 0) FROM outbox WHERE ${STREAM} = stream)::float8 AS seq
     FROM unnest($1::text[]) AS stream`,
    [streams],
  )
  return new Map(rows.map(({ stream, seq }) => [stream, seq]))
}

export async function markPublished(client: PoolClient, published: readonly Published[]): Promise<void> {
  if (published.length === 0) return
  await client.query(
    `UPDATE outbox SET published_at = clock_timestamp(), stream_id = published.stream_id, stream_seq = published.seq
     FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS published (id, stream_id, seq) WHERE outbox.id = published.id`,
    [published.map(({ id }) => id), published.map(({ streamId }) => streamId), published.map(({ seq }) => seq)],
  )
}

/**
 * Marks the rows for publishing that a stream has lost or may have lost, by its state: what it never acknowledged with a sequence, what
 * is behind its end, older than its first message, or of a stream created before; and, as nats-server syncs to disk late, what other
 * servers acknowledged in the last two minutes.
 */
export async function markLost(client: PoolClient, stream: string, state: StreamState): Promise<number> {
  const { rowCount } = await scan(
    client,
    `UPDATE outbox SET published_at = NULL, stream_seq = NULL,
       republish_at = clock_timestamp() + CASE WHEN is_lost THEN ${HOLD} ELSE interval '0' END
     FROM (SELECT id AS lost_id, created = $5 AND (stream_seq > $2 OR (stream_seq >= $3 AND published_at < $4::timestamptz)) AS is_lost,
         stream_seq IS NULL OR created <> $5 OR (stream_id <> $6 AND published_at > clock_timestamp() - interval '2 minutes') AS is_doubtful
       FROM (SELECT *, split_part(stream_id, ' ', 1) AS created FROM outbox WHERE published_at IS NOT NULL AND ${STREAM} = $1) AS published
     ) AS lost
     WHERE id = lost_id AND (is_lost OR is_doubtful)`,
    [stream, state.lastSeq, state.firstSeq, state.firstTime, state.created, streamIdOf(state)],
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
