import { Injectable } from '@nestjs/common'
import { Pool, type PoolClient } from 'pg'

// The outputs spent by transactions from $1 on, the first of block $2: from the undo rows, or by a scan of all outputs.
const SPENT_BY_UNDO = `
  SELECT txo.tx_id, txo.vout, value, script_key, spent_tx_id
  FROM (SELECT unnest(spent_tx_ids) AS tx_id, unnest(spent_vouts) AS vout FROM block_undo WHERE height >= $2) AS undo
  JOIN txo USING (tx_id, vout)`
const SPENT_BY_SCAN = 'SELECT tx_id, vout, value, script_key, spent_tx_id FROM txo WHERE spent_tx_id >= $1'

// The reverse of connecting a block. Histories are in chain order, so their ends are deleted; an owner without any other transaction
// is deleted altogether.
const DISCONNECT = (spent: string) => `
  WITH spent AS (${spent}), touch AS (
    SELECT script_key, tx_id, sum(received) AS received, sum(sent) AS sent, sum(unspent) AS unspent
    FROM (SELECT script_key, tx_id, value AS received, 0 AS sent, 1 AS unspent FROM txo WHERE tx_id >= $1
          UNION ALL SELECT script_key, spent_tx_id, 0, value, -1 FROM spent) AS movement
    GROUP BY script_key, tx_id
  ), change AS (
    SELECT script_key, sum(received) AS received, sum(sent) AS sent, count(*) AS txs, sum(unspent) AS unspent
    FROM touch GROUP BY script_key
  ), remaining AS (
    SELECT script_key, tx_count - txs AS tx_count FROM script JOIN change USING (script_key)
  ), deleted_scripts AS (
    DELETE FROM script USING change WHERE script.script_key = change.script_key AND tx_count = txs
  ), reduced_scripts AS (
    UPDATE script SET received = script.received - change.received, sent = script.sent - change.sent, tx_count = tx_count - txs,
      utxo_count = utxo_count - unspent
    FROM change WHERE script.script_key = change.script_key AND tx_count > txs
  ), deleted_history AS (
    DELETE FROM script_tx USING remaining WHERE script_tx.script_key = remaining.script_key AND pos >= remaining.tx_count
  ), deleted_outputs AS (
    DELETE FROM txo WHERE tx_id >= $1
  )
  UPDATE txo SET spent_tx_id = NULL, spent_vin = NULL FROM spent
  WHERE txo.tx_id = spent.tx_id AND txo.vout = spent.vout AND txo.tx_id < $1`

const MEMORY = "SET LOCAL jit = off; SET LOCAL work_mem = '64MB'"

const INSERT_STALE = `
  INSERT INTO stale_block (hash, height, header, size, txids, chainwork, coinbase, payout_script, staled_at)
  SELECT hash, height, header, size,
    ARRAY(SELECT txid FROM tx WHERE tx_id >= first_tx_id AND tx_id < first_tx_id + tx_count ORDER BY tx_id),
    chainwork, coinbase, payout_script, now()
  FROM block WHERE height >= $1 ON CONFLICT (hash) DO UPDATE SET staled_at = excluded.staled_at`

const MAX_STALE_BLOCKS = 10_000

const DELETE_OLD_STALE = `
  DELETE FROM stale_block WHERE hash IN (SELECT hash FROM stale_block ORDER BY staled_at DESC, height DESC OFFSET ${MAX_STALE_BLOCKS})`

const RAW = `
  SELECT raw, tx_count FROM block JOIN tx_raw ON tx_id >= first_tx_id AND tx_id < first_tx_id + tx_count WHERE height = $1 ORDER BY tx_id`

const FIRST = `
  SELECT first_tx_id AS first, time, txid AS coinbase FROM block JOIN tx ON tx_id = first_tx_id WHERE block.height = $1`

export interface DisconnectedBlock {
  readonly time: number
  /** The id of its coinbase. */
  readonly coinbase: Buffer
}

/** Disconnects blocks: afterwards the index is as if they had never been connected. */
@Injectable()
export class RollbackRepository {
  constructor(private readonly pool: Pool) {}

  /** All transactions of a block, if they are stored. */
  async findRaw(height: number): Promise<Buffer[] | undefined> {
    const { rows } = await this.pool.query<{ raw: Buffer; tx_count: number }>(RAW, [height])
    return rows.length === rows[0]?.tx_count ? rows.map(({ raw }) => raw) : undefined
  }

  /** Disconnects the blocks from this height on, quickly if there are undo rows for them. Returns the first of them. */
  async disconnect(client: PoolClient, from: number, how: 'by-undo' | 'by-scan'): Promise<DisconnectedBlock | undefined> {
    const { rows } = await client.query<DisconnectedBlock & { first: string }>(FIRST, [from])
    const [block] = rows
    if (!block) return undefined
    await client.query(MEMORY)
    if (how === 'by-undo') await client.query(DISCONNECT(SPENT_BY_UNDO), [block.first, from])
    else await client.query(DISCONNECT(SPENT_BY_SCAN), [block.first])
    await client.query(INSERT_STALE, [from])
    await client.query(DELETE_OLD_STALE)
    for (const table of ['tx', 'tx_raw', 'own_script']) await client.query(`DELETE FROM ${table} WHERE tx_id >= $1`, [block.first])
    for (const table of ['block', 'block_undo']) await client.query(`DELETE FROM ${table} WHERE height >= $1`, [from])
    return block
  }
}
