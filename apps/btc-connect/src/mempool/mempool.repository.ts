import { hostname } from 'node:os'
import { Inject, Injectable } from '@nestjs/common'
import type { Transaction } from '@trestle/bitcoin/transaction'
import { acquireLease, type Lease } from '@trestle/database/lease'
import type { Pool, PoolClient } from 'pg'
import type { BtcConnectEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { FEE_BANDS } from './fee-bands.js'
import { feeInputsOf, UPDATE_FEES } from './fee-update.js'
import { MEMPOOL_LOCK } from './mempool-lock.js'
import { ownersOf } from './owners.js'

export interface IndexTip {
  readonly hash: Buffer
  /** Keys the script keys of this index. */
  readonly secret: Buffer
}

interface MempoolAdditions {
  readonly transactions: readonly Transaction[]
  readonly seenAt: Date
  readonly tip: IndexTip
}

// Before the phase `tip` nothing is served, and there are no indexes to look up in.
const TIP = `
  SELECT hash, secret FROM index_state CROSS JOIN LATERAL (SELECT hash FROM block ORDER BY height DESC LIMIT 1) AS tip WHERE phase = 'tip'`

const LIST = `SELECT encode(txid, 'hex') AS txid, octet_length(raw) AS bytes FROM mempool_tx`

const DELETE = 'DELETE FROM mempool_tx WHERE txid = ANY($1::bytea[])'

// A transaction that spends the same output as a newer one has been replaced, even if the node's list does not show it yet.
const DELETE_REPLACED = `
  DELETE FROM mempool_tx WHERE txid IN (
    SELECT other.txid FROM unnest($1::bytea[], $2::int[], $3::bytea[]) AS new (prev_txid, prev_vout, txid)
    CROSS JOIN LATERAL (
      SELECT txid FROM mempool_spend WHERE prev_txid = new.prev_txid AND prev_vout = new.prev_vout LIMIT 1
    ) AS other
    WHERE other.txid <> new.txid)`

const RESERVE_NUMBERS = 'UPDATE index_state SET mempool_seq = mempool_seq + $1 RETURNING mempool_seq - $1 AS seq'

const INSERT = `
  INSERT INTO mempool_tx (txid, raw, first_seen, seq, vsize, inputs, value_out)
  SELECT txid, raw, $3, $4 + place, vsize, inputs, value_out
  FROM unnest($1::bytea[], $2::bytea[], $5::int[], $6::int[], $7::bigint[]) WITH ORDINALITY
    AS new (txid, raw, vsize, inputs, value_out, place)
  ON CONFLICT DO NOTHING`

const INSERT_OUTPUTS = `
  INSERT INTO mempool_output (txid, vout, value, script_key)
  SELECT * FROM unnest($1::bytea[], $2::int[], $3::bigint[], $4::uuid[])
  ON CONFLICT DO NOTHING`

// The output is in the mempool or in a block; of two transactions with one id (BIP 30) the later one has the outputs.
const INSERT_SPENDS = `
  INSERT INTO mempool_spend (prev_txid, prev_vout, txid, vin, value, script_key)
  SELECT new.*, output.value, output.script_key
  FROM unnest($1::bytea[], $2::int[], $3::bytea[], $4::int[]) AS new (prev_txid, prev_vout, txid, vin)
  LEFT JOIN LATERAL (
    SELECT value, script_key FROM mempool_output WHERE txid = new.prev_txid AND vout = new.prev_vout
    UNION ALL
    (SELECT value, script_key FROM tx JOIN txo USING (tx_id)
     WHERE tx.txid = new.prev_txid AND txo.vout = new.prev_vout ORDER BY tx_id DESC LIMIT 1)
    LIMIT 1
  ) AS output ON true
  ON CONFLICT DO NOTHING`

// A transaction may arrive before the one whose output it spends.
const COMPLETE_SPENDS = `
  UPDATE mempool_spend AS spend SET value = output.value, script_key = output.script_key
  FROM mempool_output AS output
  WHERE spend.prev_txid = ANY($1::bytea[]) AND spend.value IS NULL AND output.txid = spend.prev_txid AND output.vout = spend.prev_vout`

// In an index of tracked addresses: transactions that do not involve them. The node lists a transaction after its parents.
const DELETE_UNTRACKED = `
  DELETE FROM mempool_tx WHERE txid = ANY($1::bytea[])
    AND NOT EXISTS (SELECT FROM mempool_output WHERE mempool_output.txid = mempool_tx.txid)
    AND NOT EXISTS (SELECT FROM mempool_spend WHERE mempool_spend.txid = mempool_tx.txid AND script_key IS NOT NULL)
  RETURNING encode(txid, 'hex') AS txid`

// With the schema as payload, because a channel belongs to the whole database.
const NOTIFY = `SELECT pg_notify('mempool', current_schema())`

/** Injects connections with a longer statement timeout than that of requests. */
export const MEMPOOL_POOL = Symbol('MEMPOOL_POOL')

@Injectable()
export class MempoolRepository {
  private ownerOf?: ReturnType<typeof ownersOf>

  constructor(
    @Inject(MEMPOOL_POOL) private readonly pool: Pool,
    @Inject(ENV) private readonly env: Pick<BtcConnectEnv, 'TRACK'>,
  ) {}

  /** Waits for the lease of the mempool. */
  acquire(signal: AbortSignal): Promise<Lease> {
    return acquireLease({ pool: this.pool, name: 'mempool', holder: `${hostname()} ${process.pid}` }, signal)
  }

  async findTip(client: Pick<PoolClient, 'query'> = this.pool): Promise<IndexTip | undefined> {
    const { rows } = await client.query<IndexTip>(TIP)
    return rows[0]
  }

  async listSizes(): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ txid: string; bytes: number }>(LIST)
    return new Map(rows.map(({ txid, bytes }) => [txid, bytes]))
  }

  /** Changes the mempool if the index is still at this tip; otherwise returns undefined. */
  change<T>(lease: Lease, tip: IndexTip, work: (client: PoolClient) => Promise<T>): Promise<T | undefined> {
    return lease.transaction(this.pool, async (client) => {
      await client.query(MEMPOOL_LOCK)
      if (!(await this.findTip(client))?.hash.equals(tip.hash)) return undefined
      const result = await work(client)
      await client.query(NOTIFY)
      return result
    })
  }

  /** Returns how many were deleted. */
  async delete(client: PoolClient, txids: readonly string[]): Promise<number> {
    const { rowCount } = await client.query(DELETE, [txids.map((txid) => Buffer.from(txid, 'hex'))])
    return rowCount ?? 0
  }

  /** Inserts transactions; returns the ids of those that involve no tracked address, which it deletes again. */
  async insert(client: PoolClient, { transactions, seenAt, tip }: MempoolAdditions): Promise<string[]> {
    this.ownerOf ??= ownersOf(tip.secret, this.env.TRACK)
    const { ownerOf } = this
    const txids = transactions.map(({ txid }) => txid)
    const outputs = transactions.flatMap(({ txid, outputs }) =>
      outputs.map(({ value, script }, vout) => [txid, vout, value, ownerOf(script)]),
    )
    const spends = transactions.flatMap(({ txid, inputs }) => inputs.map((input, vin) => [input.txid, input.vout, txid, vin]))
    const [prevTxids, prevVouts, spenders, vins] = columnsOf(spends)
    await client.query(DELETE_REPLACED, [prevTxids, prevVouts, spenders])
    const { rows } = await client.query<{ seq: string }>(RESERVE_NUMBERS, [transactions.length])
    const raws = transactions.map(({ raw }) => raw)
    await client.query(INSERT, [txids, raws, seenAt, rows[0]?.seq, ...feeInputsOf(transactions)])
    await client.query(INSERT_OUTPUTS, columnsOf(outputs.filter(([, , , owner]) => owner !== undefined)))
    await client.query(INSERT_SPENDS, [prevTxids, prevVouts, spenders, vins])
    await client.query(COMPLETE_SPENDS, [txids])
    const untracked = this.env.TRACK.length > 0 ? await this.deleteUntracked(client, txids) : []
    await client.query(UPDATE_FEES, [txids, FEE_BANDS])
    return untracked
  }

  private async deleteUntracked(client: PoolClient, txids: readonly Buffer[]): Promise<string[]> {
    const { rows } = await client.query<{ txid: string }>(DELETE_UNTRACKED, [txids])
    return rows.map(({ txid }) => txid)
  }
}

function columnsOf(rows: readonly (readonly unknown[])[]): unknown[][] {
  return [0, 1, 2, 3].map((column) => rows.map((row) => row[column]))
}
