import { Injectable } from '@nestjs/common'
import { arrayParameter } from '@trestle/database/binary-fields'
import { copyIn } from '@trestle/database/copy'
import type { PoolClient } from 'pg'
import type { TipRows } from './tip-rows.js'

// JIT compilation would take longer than the statement. It looks up single rows of tables that grow with the chain, which the
// planner would scan while they are small. The last setting ends the statement of a killed writer.
const SETTINGS = `
  SET LOCAL jit = off; SET LOCAL work_mem = '64MB'; SET LOCAL enable_seqscan = off; SET LOCAL random_page_cost = 1;
  SET LOCAL client_connection_check_interval = '1s'`

// The first step must not be merged into the second: without good statistics, the planner would join by vout alone.
// Rows are looked up and added in the order of their index: neighbours share pages.
// A script that only spends in these blocks has its row already, so $8 need not contain it.
const CONNECT = `
  WITH spend AS MATERIALIZED (
    SELECT tx.tx_id, vout, spend.tx_id AS spent_tx_id, vin, spend.height
    FROM unnest($2::bytea[], $3::int4[], $4::int8[], $5::int4[], $6::int4[]) AS spend (txid, vout, tx_id, vin, height)
    JOIN tx USING (txid) ORDER BY tx.tx_id, vout
  ), spent AS (
    UPDATE txo SET spent_tx_id = spend.spent_tx_id, spent_vin = spend.vin FROM spend
    WHERE txo.tx_id = spend.tx_id AND txo.vout = spend.vout AND txo.spent_tx_id IS NULL
    RETURNING txo.tx_id, txo.vout, txo.value, txo.script_key, txo.spent_tx_id, spend.height
  ), touch AS (
    SELECT script_key, tx_id, sum(received) AS received, sum(sent) AS sent, sum(unspent) AS unspent
    FROM (SELECT script_key, tx_id, value AS received, 0 AS sent, 1 AS unspent FROM txo WHERE tx_id >= $1
          UNION ALL SELECT script_key, spent_tx_id, 0, value, -1 FROM spent) AS movement
    GROUP BY script_key, tx_id
  ), change AS MATERIALIZED (
    SELECT script_key, sum(received) AS received, sum(sent) AS sent, count(*) AS txs, sum(unspent) AS unspent
    FROM touch GROUP BY script_key ORDER BY script_key
  ), known AS (
    UPDATE script SET received = script.received + change.received, sent = script.sent + change.sent, tx_count = tx_count + txs,
      utxo_count = utxo_count + unspent
    FROM change WHERE script.script_key = change.script_key
    RETURNING script.script_key, tx_count
  ), added AS (
    INSERT INTO script (script_key, script, received, sent, tx_count, utxo_count)
    SELECT script_key, script, received, sent, txs, unspent
    FROM change JOIN unnest($7::uuid[], $8::bytea[]) AS paid (script_key, script) USING (script_key)
    WHERE script_key NOT IN (SELECT script_key FROM known)
    RETURNING script_key, tx_count
  ), history AS (
    INSERT INTO script_tx (script_key, pos, tx_id)
    SELECT script_key, tx_count - rank() OVER (PARTITION BY script_key ORDER BY tx_id DESC), tx_id
    FROM touch JOIN (TABLE known UNION ALL TABLE added) AS counted USING (script_key)
  )
  INSERT INTO block_undo (height, spent_tx_ids, spent_vouts)
  SELECT height, coalesce(array_agg(tx_id) FILTER (WHERE tx_id IS NOT NULL), '{}'), coalesce(array_agg(vout) FILTER (WHERE vout IS NOT NULL), '{}')
  FROM generate_series($9::int4, $10::int4) AS new (height) LEFT JOIN spent USING (height) GROUP BY height`

/** Connects blocks to a complete index. */
@Injectable()
export class TipRepository {
  async connect(client: PoolClient, rows: TipRows): Promise<void> {
    const { blocks, spends, scripts } = rows
    const [first, last] = [blocks[0], blocks.at(-1)]
    if (!first || !last) return
    await client.query(SETTINGS)
    for (const [target, fields] of rows.tables) if (fields.length > 0) await copyIn(client, target, fields)
    await client.query(CONNECT, [
      first.firstTxId,
      arrayParameter('bytea', spends.txids),
      arrayParameter('int4', spends.vouts),
      arrayParameter('int8', spends.txIds),
      arrayParameter('int4', spends.vins),
      arrayParameter('int4', spends.heights),
      arrayParameter('uuid', scripts.keys),
      arrayParameter('bytea', scripts.scripts),
      first.height,
      last.height,
    ])
    const hashes = blocks.map(({ block }) => block.header.hash)
    await client.query('DELETE FROM stale_block WHERE hash = ANY($1::bytea[])', [hashes])
  }

  /** Deletes the undo rows of all but the newest blocks. */
  async deleteUndo(client: PoolClient, upTo: number): Promise<void> {
    await client.query('DELETE FROM block_undo WHERE height <= $1', [upTo])
  }
}
