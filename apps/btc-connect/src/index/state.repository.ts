import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { selectList } from '@trestle/database/columns'
import type { PoolClient } from 'pg'
import { IndexDatabase } from '../database.module.js'
import { type Block as BlockRow, Prisma, type IndexState as StateRow } from '../generated/prisma/client.js'
import type { ChainTip } from '../node/block-source.js'
import { type ChainEnd, chainworkOf, emptyChainEnd } from './chain-end.js'
import { ConditionName, type WriterCondition } from './condition.js'
import { IndexPhase } from './phase.js'

/** What an index is about; it never changes. */
export interface IndexIdentity {
  readonly genesisHash: string
  readonly startHeight: number
  readonly tracked: Buffer | undefined
}

interface WriterState {
  readonly phase: IndexPhase
  /** Keys the script keys. */
  readonly secret: Buffer
  readonly condition: WriterCondition
  readonly nodeHash: Buffer | undefined
}

interface ConditionReport {
  readonly condition: WriterCondition
  readonly node?: ChainTip
  readonly blocksPerSecond?: number
}

const CREATE = `
  INSERT INTO index_state (genesis_hash, secret, start_height, tracked, phase, updated_at)
  VALUES ($1, $2, $3, $4, 'tip', now()) ON CONFLICT DO NOTHING`

const STATE = `SELECT ${selectList(['genesisHash', 'startHeight', 'tracked', 'phase', 'secret', 'condition', 'conditionDetail', 'nodeHash'])} FROM index_state`

const REPORT = `
  UPDATE index_state SET condition = $1, condition_detail = $2, node_height = coalesce($3, node_height), node_hash = coalesce($4, node_hash),
    blocks_per_second = coalesce($5, blocks_per_second), updated_at = now()`

// How many of the newest blocks can be disconnected without a scan.
const UNDOABLE = Prisma.sql`
  SELECT count(*)::int AS blocks FROM (
    SELECT height + row_number() OVER (ORDER BY height DESC) AS same FROM block_undo
  ) AS undo WHERE same = (SELECT max(height) + 1 FROM block)`

/** How far the index is. Reads go through the Prisma client, fenced writes through the connection of the lease. */
@Injectable()
export class StateRepository {
  constructor(private readonly database: IndexDatabase) {}

  /** Creates the index unless it exists; refuses one that was created for something else. */
  async open(client: PoolClient, { genesisHash, startHeight, tracked }: IndexIdentity): Promise<WriterState> {
    const genesis = Buffer.from(genesisHash, 'hex')
    await client.query(CREATE, [genesis, randomBytes(16), startHeight, tracked])
    const { rows } = await client.query<StateRow>(STATE)
    const state = required(rows[0])
    const isOurs =
      genesis.equals(state.genesisHash) &&
      state.startHeight === startHeight &&
      (state.tracked && tracked ? tracked.equals(state.tracked) : !state.tracked === !tracked)
    if (!isOurs)
      throw new Error(
        'This schema holds an index made for another chain, START_HEIGHT or TRACK: use another DEPLOYMENT, or drop the schema.',
      )
    return fromStateRow(state)
  }

  async get(): Promise<WriterState> {
    return fromStateRow(required(await this.database.indexState.findFirst()))
  }

  async findEnd(startHeight: number): Promise<ChainEnd> {
    const row = await this.database.block.findFirst({ orderBy: { height: 'desc' }, select: END })
    return row ? fromEndRow(row) : emptyChainEnd(startHeight)
  }

  async findHash(height: number): Promise<Buffer | undefined> {
    const block = await this.database.block.findUnique({ where: { height }, select: { hash: true } })
    return block ? Buffer.from(block.hash) : undefined
  }

  async countUndoable(): Promise<number> {
    const [row] = await this.database.$queryRaw<{ blocks: number }[]>`${UNDOABLE}`
    return row?.blocks ?? 0
  }

  async updateCondition(client: PoolClient, { condition, node, blocksPerSecond }: ConditionReport): Promise<void> {
    await client.query(REPORT, [condition.name, condition.detail, node?.goal ?? node?.height, node?.hash, blocksPerSecond])
  }

  async updatePhase(client: PoolClient, phase: IndexPhase): Promise<void> {
    await client.query('UPDATE index_state SET phase = $1, updated_at = now()', [phase])
  }

  /** Notifies every listener that the chain has changed; the payload names the schema, for a channel belongs to the whole database. */
  async notifyTip(client: PoolClient): Promise<void> {
    await client.query("SELECT pg_notify('tip', current_schema())")
  }
}

const END = { height: true, hash: true, firstTxId: true, txCount: true, chainwork: true } as const

function required(row: StateRow | null | undefined): StateRow {
  if (!row) throw new Error('The index does not exist yet.')
  return row
}

function fromStateRow({ phase, secret, condition, conditionDetail, nodeHash }: StateRow): WriterState {
  return {
    phase: IndexPhase.parse(phase),
    secret: Buffer.from(secret),
    condition: { name: ConditionName.parse(condition), detail: conditionDetail ?? undefined },
    nodeHash: nodeHash ? Buffer.from(nodeHash) : undefined,
  }
}

function fromEndRow({ height, hash, firstTxId, txCount, chainwork }: Pick<BlockRow, keyof typeof END>): ChainEnd {
  return {
    height,
    hash: Buffer.from(hash),
    nextTxId: Number(firstTxId) + txCount,
    chainwork: chainworkOf(Buffer.from(chainwork)),
  }
}
