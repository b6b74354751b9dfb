import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { Pool, type PoolClient } from 'pg'
import type { ChainTip } from '../node/block-source.js'
import { beforeBlock, type ChainEnd, chainworkOf } from './chain-end.js'
import type { Condition } from './condition.js'

export type Phase = 'load' | 'merge' | 'tip'

/** What an index is about; it never changes. */
export interface IndexIdentity {
  readonly genesisHash: string
  readonly startHeight: number
  readonly tracked: Buffer | undefined
}

export interface IndexState {
  readonly phase: Phase
  /** Keys the script keys. */
  readonly secret: Buffer
  readonly condition: Condition
  readonly nodeHash: Buffer | undefined
}

export interface Report {
  readonly condition: Condition
  readonly node?: ChainTip
  readonly blocksPerSecond?: number
}

interface StateRow {
  phase: Phase
  secret: Buffer
  condition: Condition['name']
  condition_detail: string | null
  node_hash: Buffer | null
}

interface EndRow {
  height: number
  hash: Buffer
  next_tx_id: string
  chainwork: Buffer
}

type Querying = Pick<PoolClient, 'query'>

const CREATE = `
  INSERT INTO index_state (genesis_hash, secret, start_height, tracked, phase, updated_at)
  VALUES ($1, $2, $3, $4, 'tip', now()) ON CONFLICT DO NOTHING`

const IDENTITY = 'SELECT genesis_hash, start_height, tracked FROM index_state'

const STATE = 'SELECT phase, secret, condition, condition_detail, node_hash FROM index_state'

const END = `
  SELECT height, hash, first_tx_id + tx_count AS next_tx_id, chainwork FROM block ORDER BY height DESC LIMIT 1`

const REPORT = `
  UPDATE index_state SET condition = $1, condition_detail = $2, node_height = coalesce($3, node_height), node_hash = coalesce($4, node_hash),
    blocks_per_second = coalesce($5, blocks_per_second), updated_at = now()`

// How many of the newest blocks can be taken back without a scan.
const UNDOABLE = `
  SELECT count(*)::int AS blocks FROM (
    SELECT height + row_number() OVER (ORDER BY height DESC) AS same FROM block_undo
  ) AS undo WHERE same = (SELECT max(height) + 1 FROM block)`

/** How far the index is, and how it goes. */
@Injectable()
export class StateRepository {
  constructor(private readonly pool: Pool) {}

  /** Makes the index, unless it is there; refuses one that was made for something else. */
  async open(client: PoolClient, { genesisHash, startHeight, tracked }: IndexIdentity): Promise<IndexState> {
    const genesis = Buffer.from(genesisHash, 'hex')
    await client.query(CREATE, [genesis, randomBytes(16), startHeight, tracked])
    const { rows } = await client.query<{ genesis_hash: Buffer; start_height: number; tracked: Buffer | null }>(IDENTITY)
    const [made] = rows
    const isOurs =
      made?.genesis_hash.equals(genesis) &&
      made.start_height === startHeight &&
      (made.tracked && tracked ? made.tracked.equals(tracked) : !made.tracked === !tracked)
    if (!isOurs)
      throw new Error(
        'This schema holds an index made for another chain, START_HEIGHT or TRACK: use another DEPLOYMENT, or drop the schema.',
      )
    return this.get(client)
  }

  async get(client: Querying = this.pool): Promise<IndexState> {
    const { rows } = await client.query<StateRow>(STATE)
    if (!rows[0]) throw new Error('The index was not made yet.')
    return toState(rows[0])
  }

  async getEnd(startHeight: number, client: Querying = this.pool): Promise<ChainEnd> {
    const { rows } = await client.query<EndRow>(END)
    return rows[0] ? toEnd(rows[0]) : beforeBlock(startHeight)
  }

  async findHash(height: number): Promise<Buffer | undefined> {
    const { rows } = await this.pool.query<{ hash: Buffer }>('SELECT hash FROM block WHERE height = $1', [height])
    return rows[0]?.hash
  }

  async countUndoable(): Promise<number> {
    const { rows } = await this.pool.query<{ blocks: number }>(UNDOABLE)
    return rows[0]?.blocks ?? 0
  }

  async report(client: PoolClient, { condition, node, blocksPerSecond }: Report): Promise<void> {
    await client.query(REPORT, [condition.name, condition.detail, node?.goal ?? node?.height, node?.hash, blocksPerSecond])
  }

  async savePhase(client: PoolClient, phase: Phase): Promise<void> {
    await client.query('UPDATE index_state SET phase = $1, updated_at = now()', [phase])
  }

  /** Tells everybody who listens that the chain is another one now; the payload says whose. */
  async announce(client: PoolClient): Promise<void> {
    await client.query("SELECT pg_notify('tip', current_schema())")
  }
}

function toState({ phase, secret, condition, condition_detail, node_hash }: StateRow): IndexState {
  return { phase, secret, condition: { name: condition, detail: condition_detail ?? undefined }, nodeHash: node_hash ?? undefined }
}

function toEnd({ height, hash, next_tx_id, chainwork }: EndRow): ChainEnd {
  return { height, hash, nextTxId: Number(next_tx_id), chainwork: chainworkOf(chainwork) }
}
