import { Injectable } from '@nestjs/common'
import { Pool, type PoolClient } from 'pg'

// What was spent from transaction $1 on, which is the first of block $2: remembered, or looked for from end to end.
const REMEMBERED = `
  SELECT txo.tx_id, txo.vout, value, script_key, spent_tx_id
  FROM (SELECT unnest(spent_tx_ids) AS tx_id, unnest(spent_vouts) AS vout FROM block_undo WHERE height >= $2) AS undo
  JOIN txo USING (tx_id, vout)`
const SEARCHED = 'SELECT tx_id, vout, value, script_key, spent_tx_id FROM txo WHERE spent_tx_id >= $1'

// The reverse of what the tip does. Histories are in chain order, so that what goes is their end; an owner who was not seen before
// goes altogether.
const DISCONNECT = (spent: string) => `
  WITH spent AS (${spent}), touch AS (
    SELECT script_key, tx_id, sum(received) AS received, sum(sent) AS sent, sum(unspent) AS unspent
    FROM (SELECT script_key, tx_id, value AS received, 0 AS sent, 1 AS unspent FROM txo WHERE tx_id >= $1
          UNION ALL SELECT script_key, spent_tx_id, 0, value, -1 FROM spent) AS movement
    GROUP BY script_key, tx_id
  ), change AS (
    SELECT script_key, sum(received) AS received, sum(sent) AS sent, count(*) AS txs, sum(unspent) AS unspent
    FROM touch GROUP BY script_key
  ), left_over AS (
    SELECT script_key, tx_count - txs AS tx_count FROM script JOIN change USING (script_key)
  ), gone AS (
    DELETE FROM script USING change WHERE script.script_key = change.script_key AND tx_count = txs
  ), shrunk AS (
    UPDATE script SET received = script.received - change.received, sent = script.sent - change.sent, tx_count = tx_count - txs,
      utxo_count = utxo_count - unspent
    FROM change WHERE script.script_key = change.script_key AND tx_count > txs
  ), forgotten AS (
    DELETE FROM script_tx USING left_over WHERE script_tx.script_key = left_over.script_key AND pos >= left_over.tx_count
  ), unmade AS (
    DELETE FROM txo WHERE tx_id >= $1
  )
  UPDATE txo SET spent_tx_id = NULL, spent_vin = NULL FROM spent
  WHERE txo.tx_id = spent.tx_id AND txo.vout = spent.vout AND txo.tx_id < $1`

const MEMORY = "SET LOCAL jit = off; SET LOCAL work_mem = '64MB'"

const STALE = `
  INSERT INTO stale_block (hash, height, header, size, txids, chainwork, coinbase, payout_script, staled_at)
  SELECT hash, height, header, size,
    ARRAY(SELECT txid FROM tx WHERE tx_id >= first_tx_id AND tx_id < first_tx_id + tx_count ORDER BY tx_id),
    chainwork, coinbase, payout_script, now()
  FROM block WHERE height >= $1 ON CONFLICT (hash) DO UPDATE SET staled_at = excluded.staled_at`

const KEPT_STALE = 10_000

const FORGET_STALE = `
  DELETE FROM stale_block WHERE hash IN (SELECT hash FROM stale_block ORDER BY staled_at DESC, height DESC OFFSET ${KEPT_STALE})`

const RAW = `
  SELECT raw, tx_count FROM block JOIN tx_raw ON tx_id >= first_tx_id AND tx_id < first_tx_id + tx_count WHERE height = $1 ORDER BY tx_id`

const FIRST = `
  SELECT first_tx_id AS first, time, txid AS coinbase FROM block JOIN tx ON tx_id = first_tx_id WHERE block.height = $1`

export interface DisconnectedBlock {
  readonly time: number
  /** The id of its coinbase. */
  readonly coinbase: Buffer
}

/** Takes blocks back: afterwards the index is as if they had never come. */
@Injectable()
export class RollbackRepository {
  constructor(private readonly pool: Pool) {}

  /** All transactions of a block, if they are stored. */
  async findRaw(height: number): Promise<Buffer[] | undefined> {
    const { rows } = await this.pool.query<{ raw: Buffer; tx_count: number }>(RAW, [height])
    return rows.length === rows[0]?.tx_count ? rows.map(({ raw }) => raw) : undefined
  }

  /** Takes back the blocks from this height on; quickly, if what they spent is remembered. Answers what the first of them was. */
  async disconnect(client: PoolClient, from: number, how: 'remembered' | 'searched'): Promise<DisconnectedBlock | undefined> {
    const { rows } = await client.query<DisconnectedBlock & { first: string }>(FIRST, [from])
    const [block] = rows
    if (!block) return undefined
    await client.query(MEMORY)
    if (how === 'remembered') await client.query(DISCONNECT(REMEMBERED), [block.first, from])
    else await client.query(DISCONNECT(SEARCHED), [block.first])
    await client.query(STALE, [from])
    await client.query(FORGET_STALE)
    for (const table of ['tx', 'tx_raw', 'own_script']) await client.query(`DELETE FROM ${table} WHERE tx_id >= $1`, [block.first])
    for (const table of ['block', 'block_undo']) await client.query(`DELETE FROM ${table} WHERE height >= $1`, [from])
    return block
  }
}
