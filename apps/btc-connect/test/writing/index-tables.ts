import type { Pool } from 'pg'

const hex = (column: string) => `encode(${column}, 'hex') AS ${column}`

const TABLES = {
  block: `SELECT height, ${hex('hash')}, ${hex('header')}, time, size, tx_count, first_tx_id::int, ${hex('chainwork')}, ${hex('coinbase')},
    ${hex('payout_script')} FROM block ORDER BY height`,
  tx: `SELECT tx_id::int, ${hex('txid')}, height FROM tx ORDER BY tx_id`,
  tx_raw: `SELECT tx_id::int, ${hex('raw')} FROM tx_raw ORDER BY tx_id`,
  own_script: `SELECT tx_id::int, vout, ${hex('script')} FROM own_script ORDER BY tx_id, vout`,
  txo: `SELECT tx_id::int, vout, value::text, ${hex('script')}, spent_tx_id::int, spent_vin FROM txo JOIN script USING (script_key)
    ORDER BY tx_id, vout`,
  script: `SELECT ${hex('script')}, received::text, sent::text, tx_count, utxo_count FROM script ORDER BY script.script`,
  script_tx: `SELECT ${hex('script')}, pos, tx_id::int FROM script_tx JOIN script USING (script_key) ORDER BY script.script, pos`,
}

/** Everything the index says, in words that do not depend on its secret. */
export async function indexTables(pool: Pool): Promise<Record<string, unknown[]>> {
  const tables = Object.entries(TABLES).map(async ([name, sql]) => [name, (await pool.query(sql)).rows] as const)
  return Object.fromEntries(await Promise.all(tables))
}

/** What is remembered of what each block spent. */
export async function undoTable(pool: Pool): Promise<Record<string, string[]>> {
  const { rows } = await pool.query<{ height: number; spent: string[] }>(
    `SELECT height, ARRAY(SELECT u.tx_id || ':' || u.vout FROM unnest(spent_tx_ids, spent_vouts) AS u (tx_id, vout)) AS spent FROM block_undo`,
  )
  return Object.fromEntries(rows.map(({ height, spent }) => [height, spent.sort()]))
}
