import { Injectable } from '@nestjs/common'
import type { Transaction } from '@trestle/bitcoin/transaction'
import { arrayParameter } from '@trestle/database/binary-fields'
import type { PoolClient } from 'pg'
import { FEE_BANDS } from '../mempool/fee-bands.js'
import { feeInputsOf, UPDATE_FEES } from '../mempool/fee-update.js'
import { MEMPOOL_LOCK } from '../mempool/mempool-lock.js'
import type { OutputRow } from './block-rows.js'
import type { DisconnectedBlock } from './rollback.repository.js'
import type { TipRows } from './tip-rows.js'

const HAS_TRANSACTIONS = 'SELECT EXISTS (SELECT FROM mempool_tx) AS any'

const DELETE_CONFIRMED = 'DELETE FROM mempool_tx WHERE txid = ANY($1::bytea[])'

// Transactions that spend the same outputs as a block, and their descendants.
const DELETE_CONFLICTING = `
  WITH RECURSIVE removed AS (
    SELECT mempool_spend.txid FROM mempool_spend
    JOIN unnest($1::bytea[], $2::int4[]) AS spend (txid, vout) ON prev_txid = spend.txid AND prev_vout = spend.vout
    UNION SELECT mempool_spend.txid FROM mempool_spend JOIN removed ON prev_txid = removed.txid
  )
  DELETE FROM mempool_tx WHERE txid IN (SELECT txid FROM removed)`

// The descendants of a transaction that no longer exists.
const DELETE_DESCENDANTS = `
  WITH RECURSIVE removed AS (
    SELECT txid FROM mempool_spend WHERE prev_txid = $1
    UNION SELECT mempool_spend.txid FROM mempool_spend JOIN removed ON prev_txid = removed.txid
  )
  DELETE FROM mempool_tx WHERE txid IN (SELECT txid FROM removed)`

// Numbered before all others, which arrived later and may spend their outputs.
const RETURN = `
  INSERT INTO mempool_tx (txid, raw, first_seen, seq, vsize, inputs, value_out)
  SELECT txid, raw, least(now(), to_timestamp($3)), (SELECT coalesce(min(seq), 0) FROM mempool_tx) - cardinality($1::bytea[]) + place - 1,
    vsize, inputs, value_out
  FROM unnest($1::bytea[], $2::bytea[], $4::int4[], $5::int4[], $6::int8[]) WITH ORDINALITY
    AS back (txid, raw, vsize, inputs, value_out, place)
  ON CONFLICT DO NOTHING`

const RETURN_OUTPUTS = `
  INSERT INTO mempool_output (txid, vout, value, script_key)
  SELECT * FROM unnest($1::bytea[], $2::int4[], $3::int8[], $4::uuid[]) ON CONFLICT DO NOTHING`

const RETURN_SPENDS = `
  INSERT INTO mempool_spend (prev_txid, prev_vout, txid, vin, value, script_key)
  SELECT back.*, spent.value, spent.script_key
  FROM unnest($1::bytea[], $2::int4[], $3::bytea[], $4::int4[]) AS back (prev_txid, prev_vout, txid, vin)
  LEFT JOIN LATERAL (
    SELECT value, script_key FROM mempool_output WHERE txid = back.prev_txid AND vout = back.prev_vout
    UNION ALL SELECT value, script_key FROM tx JOIN txo USING (tx_id) WHERE tx.txid = back.prev_txid AND vout = back.prev_vout
    LIMIT 1
  ) AS spent ON true
  ON CONFLICT DO NOTHING`

/** The transactions of a disconnected block that are unconfirmed again: all but the coinbase. */
interface ReturnedTransactions {
  readonly transactions: readonly Transaction[]
  readonly outputs: readonly OutputRow[]
}

/** Moves transactions between mempool and chain, in the transaction that connects or disconnects a block. */
@Injectable()
export class MempoolHandoverRepository {
  /**
   * To be called first in a transaction that changes the chain. The writer of the mempool takes the same lock, and sees
   * afterwards that the chain has changed.
   */
  async lock(client: PoolClient): Promise<void> {
    await client.query(MEMPOOL_LOCK)
  }

  /** Removes the transactions of these blocks, and those that they make invalid. */
  async confirm(client: PoolClient, { blocks, spends }: TipRows): Promise<void> {
    const { rows } = await client.query<{ any: boolean }>(HAS_TRANSACTIONS)
    if (!rows[0]?.any) return
    const txids = blocks.flatMap(({ block }) => block.transactions.map(({ txid }) => txid))
    await client.query(DELETE_CONFIRMED, [txids])
    await client.query(DELETE_CONFLICTING, [arrayParameter('bytea', spends.txids), arrayParameter('int4', spends.vouts)])
  }

  /** After a block is disconnected: its transactions return, and the descendants of its coinbase are removed. */
  async returnToMempool(
    client: PoolClient,
    { time, coinbase }: DisconnectedBlock,
    { transactions, outputs }: ReturnedTransactions,
  ): Promise<void> {
    await client.query(DELETE_DESCENDANTS, [coinbase])
    if (transactions.length === 0) return
    const txids = transactions.map(({ txid }) => txid)
    await client.query(RETURN, [txids, transactions.map(({ raw }) => raw), time, ...feeInputsOf(transactions)])
    await client.query(RETURN_OUTPUTS, [
      outputs.map(({ txid }) => txid),
      outputs.map(({ vout }) => vout),
      outputs.map(({ output }) => output.value),
      outputs.map(({ scriptKey }) => scriptKey.toString('hex')),
    ])
    const inputs = transactions.flatMap(({ txid, inputs }) => inputs.map((input, vin) => ({ txid, vin, input })))
    await client.query(RETURN_SPENDS, [
      inputs.map(({ input }) => input.txid),
      inputs.map(({ input }) => input.vout),
      inputs.map(({ txid }) => txid),
      inputs.map(({ vin }) => vin),
    ])
    await client.query(UPDATE_FEES, [txids, FEE_BANDS])
  }
}
