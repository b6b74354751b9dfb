import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { arrayParameter, BinaryFields } from '@trestle/database/binary-fields'
import { sqlStateOf } from '@trestle/database/database-problem'
import { transaction } from '@trestle/database/transaction'
import { Pool } from 'pg'
import type { CallOutcome } from '../framing/outcome.js'
import { type ChainIdentity, STORE_VERSION } from './answer-seal.js'

/** An answer as it is stored. */
export interface SealedAnswer {
  readonly outcome: CallOutcome
  readonly mac: Buffer
}

/** One to be stored. */
export interface NewAnswer extends SealedAnswer {
  readonly name: string
  /** How long ago it was asked. */
  readonly ageMs: number
}

/** A final block: all that is stored of its chain is about it and those below. */
export interface ChainAnchor {
  readonly number: number
  readonly hash: string
}

export interface StoredChain extends ChainIdentity {
  readonly anchor: ChainAnchor
}

/** The segments, each of which gets a quarter of the size. */
const SEGMENTS = 4
/** What nobody pushes out goes after so long, at the latest four times as late. */
const SEGMENT_DAYS = 7
/** Truncating a segment waits for readers, and others wait for it. */
const LOCK_MS = 500

interface AnswerRow {
  readonly name: string
  readonly is_error: boolean
  readonly upstreams: readonly string[] | null
  readonly answer: string
  readonly mac: Buffer
}

interface RingRow {
  readonly segment: number
  readonly size: string
  readonly total: string
  readonly is_old: boolean
}

interface ChainRow {
  readonly id: string
  readonly anchor_number: string
  readonly anchor_hash: string
}

/** Answers about final blocks, for all processes of the deployment. */
@Injectable()
export class AnswerStoreRepository {
  private readonly keys = new BinaryFields()

  constructor(private readonly pool: Pool) {}

  /** Those of them that are there, and of nobody who was found to lie. */
  async list(names: readonly string[]): Promise<ReadonlyMap<string, SealedAnswer>> {
    const { rows } = await this.pool.query<AnswerRow>({ name: 'list_stored_answers', text: LIST, values: [this.keysOf(names)] })
    return new Map(
      rows.map(({ name, is_error, upstreams, answer, mac }) => {
        const member = is_error ? ('error' as const) : ('result' as const)
        return [name, { outcome: { member, json: Buffer.from(answer), by: upstreams ?? undefined }, mac }]
      }),
    )
  }

  /** False where the chain is not stored any more under this id. */
  async add(chain: string, answers: readonly NewAnswer[]): Promise<boolean> {
    const outcomes = answers.map(({ outcome }) => outcome)
    const macs = new BinaryFields()
    for (const { mac } of answers) macs.binary(mac)
    const values = [
      ...[
        chain,
        this.keysOf(answers.map(({ name }) => name)),
        answers.map(({ ageMs }) => ageMs),
        outcomes.map(({ member }) => member === 'error'),
      ],
      ...[outcomes.map(({ by }) => by?.join() ?? null), outcomes.map(({ json }) => json.toString()), arrayParameter('bytea', macs)],
    ]
    const { rowCount } = await this.pool.query({ name: 'add_stored_answers', text: ADD, values })
    return rowCount === 1
  }

  async remove(names: readonly string[]): Promise<void> {
    await this.pool.query('DELETE FROM stored_answer WHERE key = ANY($1::bytea[])', [this.keysOf(names)])
  }

  /** Hides all that it has answered so far, also what another process is about to store. */
  async distrust(upstream: string): Promise<void> {
    await this.pool.query(DISTRUST, [upstream])
  }

  async findChain({ chainId, genesis }: Omit<ChainIdentity, 'id'>): Promise<StoredChain | undefined> {
    const { rows } = await this.pool.query<ChainRow>(FIND_CHAIN, [STORE_VERSION, chainId, genesis])
    return rows.map(({ id, anchor_number, anchor_hash }) => ({
      ...{ id, chainId, genesis },
      anchor: { number: Number(anchor_number), hash: anchor_hash },
    }))[0]
  }

  /** Unless another process has done so. */
  async addChain({ chainId, genesis, anchor }: Omit<StoredChain, 'id'>): Promise<void> {
    await this.pool.query(ADD_CHAIN, [randomUUID(), STORE_VERSION, chainId, genesis, anchor.number, anchor.hash])
  }

  /** Before what is about later blocks than the former one. */
  async raiseAnchor(chain: string, { number, hash }: ChainAnchor): Promise<void> {
    await this.pool.query(RAISE_ANCHOR, [chain, number, hash])
  }

  /** What was stored of it is never found again. */
  async removeChain(id: string): Promise<void> {
    await this.pool.query('DELETE FROM stored_chain WHERE id = $1', [id])
  }

  /** The bytes that it takes on the disk. */
  async size(): Promise<number> {
    const { rows } = await this.pool.query<{ size: string }>({ name: 'size_of_stored_answers', text: SIZE })
    return Number(rows[0]?.size)
  }

  /** Begins the next segment where this one is full, or old: false where that has to wait, and nothing more is to be written. */
  async makeRoom(maxBytes: number): Promise<boolean> {
    const { rows } = await this.pool.query<RingRow>({ name: 'state_of_answer_ring', text: RING, values: [SEGMENT_DAYS] })
    const [ring] = rows
    if (!ring) return false
    const isFull = Number(ring.size) >= maxBytes / SEGMENTS || Number(ring.total) >= maxBytes
    return (!isFull && !ring.is_old) || this.beginSegment((ring.segment + 1) % SEGMENTS)
  }

  private async beginSegment(next: number): Promise<boolean> {
    const begun = transaction(this.pool, async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`)
      const { rowCount } = await client.query('SELECT FROM stored_answer_ring WHERE segment <> $1 FOR UPDATE SKIP LOCKED', [next])
      if (rowCount === 0) return false
      await client.query(`TRUNCATE stored_answer_${next}`)
      await client.query('UPDATE stored_answer_ring SET segment = $1, began_at = now()', [next])
      return true
    })
    return begun.catch(unlessLocked)
  }

  /** One buffer for all: pg copies it, or has sent it, before the next is made. */
  private keysOf(names: readonly string[]): Buffer {
    this.keys.clear()
    for (const name of names) this.keys.binary(Buffer.from(name, 'hex'))
    return arrayParameter('bytea', this.keys)
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Whoever dumps the table keeps it for long. */
function unlessLocked(error: unknown): false {
  if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) return false
  throw error
}

// After `asked_at`: what it gave when it was found out, or before.
const LIST = `
  SELECT encode(key, 'hex') AS name, is_error, upstreams, answer, mac FROM stored_answer
   WHERE key = ANY($1::bytea[])
     AND NOT EXISTS (SELECT FROM distrusted_upstream WHERE name = ANY(stored_answer.upstreams) AND distrusted_at >= stored_answer.asked_at)`

const ADD = `
  WITH chain AS (
    SELECT id FROM stored_chain WHERE id = $1
  ), added AS (
    INSERT INTO stored_answer (key, segment, asked_at, is_error, upstreams, answer, mac)
    SELECT key, (SELECT segment FROM stored_answer_ring), now() - age * interval '1 millisecond', is_error, string_to_array(upstreams, ','), answer, mac
      FROM unnest($2::bytea[], $3::float8[], $4::boolean[], $5::text[], $6::text[], $7::bytea[])
        AS given (key, age, is_error, upstreams, answer, mac)
     WHERE EXISTS (SELECT FROM chain)
    ON CONFLICT DO NOTHING
  )
  SELECT id FROM chain`

const DISTRUST = `
  INSERT INTO distrusted_upstream (name, distrusted_at) VALUES ($1, clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET distrusted_at = excluded.distrusted_at`

const FIND_CHAIN = 'SELECT id, anchor_number, anchor_hash FROM stored_chain WHERE version = $1 AND chain_id = $2 AND genesis = $3'

const ADD_CHAIN = `
  INSERT INTO stored_chain (id, version, chain_id, genesis, anchor_number, anchor_hash) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT DO NOTHING`

const RAISE_ANCHOR = 'UPDATE stored_chain SET anchor_number = $2, anchor_hash = $3 WHERE id = $1 AND anchor_number < $2'

const SIZE = "SELECT sum(pg_total_relation_size(inhrelid)) AS size FROM pg_inherits WHERE inhparent = 'stored_answer'::regclass"

const RING = `
  SELECT segment, pg_total_relation_size(('stored_answer_' || segment)::regclass) AS size, (${SIZE.replace(' AS size', '')}) AS total,
         began_at < now() - $1 * interval '1 day' AS is_old
    FROM stored_answer_ring`
