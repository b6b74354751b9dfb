import { Injectable } from '@nestjs/common'
import { copyIn } from '@trestle/database/copy'
import type { PoolClient } from 'pg'
import { PARTS, partName, type StagedRows } from './staged-rows.js'

const parts = Array.from({ length: PARTS }, (_, part) => part)

const TRUNCATE = `
  TRUNCATE block, tx, tx_raw, txo, own_script, script, script_tx, block_undo, stale_block, load_range, load_step,
    mempool_tx, mempool_output, mempool_spend, mempool_band`

// Staged rows are read once, sequentially: indexes and vacuum would cost more than they save.
const STAGING = `
  CREATE TABLE load_output (tx_id bigint NOT NULL, value bigint NOT NULL, vout integer NOT NULL, script_key uuid NOT NULL, txid bytea NOT NULL,
    script bytea NOT NULL);
  CREATE TABLE load_spend (tx_id bigint NOT NULL, vin integer NOT NULL, vout integer NOT NULL, txid bytea NOT NULL);
  CREATE TABLE load_undo (tx_id bigint NOT NULL, spent_tx_id bigint NOT NULL, vout integer NOT NULL);
  CREATE TABLE load_event (tx_id bigint NOT NULL, value bigint NOT NULL, spent_tx_id bigint, script_key uuid NOT NULL, script bytea NOT NULL)
    PARTITION BY RANGE (script_key);
  ${parts.flatMap((part) => ['output', 'spend'].map((kind) => `CREATE TABLE load_${kind}_${partName(part)} (LIKE load_${kind}) WITH (autovacuum_enabled = false);`)).join('\n')}
  ${parts.map((part) => `CREATE TABLE load_event_${partName(part)} PARTITION OF load_event ${boundsOf(part)} WITH (autovacuum_enabled = false);`).join('\n')}`

/** The UUIDs that begin with this digit. */
function boundsOf(part: number): string {
  const from = part === 0 ? 'MINVALUE' : `'${partName(part)}0000000-0000-0000-0000-000000000000'`
  const to = part === PARTS - 1 ? 'MAXVALUE' : `'${partName(part + 1)}0000000-0000-0000-0000-000000000000'`
  return `FOR VALUES FROM (${from}) TO (${to})`
}

const STAGED = ['load_output', 'load_spend']
const STAGING_TABLES = [
  ...STAGED.flatMap((table) => [table, ...parts.map((part) => `${table}_${partName(part)}`)]),
  'load_event',
  'load_undo',
]

const DROP_INDEXES = `
  ALTER TABLE tx DROP CONSTRAINT IF EXISTS tx_pkey;
  DROP INDEX IF EXISTS tx_txid;
  ALTER TABLE tx_raw DROP CONSTRAINT IF EXISTS tx_raw_pkey;
  ALTER TABLE txo DROP CONSTRAINT IF EXISTS txo_pkey;
  DROP INDEX IF EXISTS txo_unspent;
  ALTER TABLE own_script DROP CONSTRAINT IF EXISTS own_script_pkey;
  ALTER TABLE script DROP CONSTRAINT IF EXISTS script_pkey;
  ALTER TABLE script_tx DROP CONSTRAINT IF EXISTS script_tx_pkey`

const ADD_RANGE = `
  INSERT INTO load_range (first_height, last_height, first_tx_id, last_tx_id, loaded_at) VALUES ($1, $2, $3, $4, now())`

const TRIM_RANGES = `
  WITH dropped AS (DELETE FROM load_range WHERE first_height > $1)
  UPDATE load_range SET last_height = $1, last_tx_id = $2 - 1 WHERE last_height > $1 AND first_height <= $1`

/** The staging tables of the bulk load. COPY and DDL take no parameters: the names come from our own code only. */
@Injectable()
export class LoadRepository {
  /** Empties the index and creates the staging tables. */
  async prepare(client: PoolClient): Promise<void> {
    await client.query(TRUNCATE)
    await client.query(DROP_INDEXES)
    await this.dropStaging(client)
    await client.query(STAGING)
  }

  async dropStaging(client: PoolClient): Promise<void> {
    await client.query(`DROP TABLE IF EXISTS ${STAGING_TABLES.join(', ')}`)
  }

  /** Adds a range of blocks, all or nothing. */
  async add(client: PoolClient, rows: StagedRows): Promise<void> {
    const { span } = rows
    if (!span) return
    await client.query('SET LOCAL synchronous_commit = off')
    for (const [target, fields] of rows.tables) if (fields.length > 0) await copyIn(client, target, fields)
    await client.query(ADD_RANGE, [span.firstHeight, span.lastHeight, span.firstTxId, span.lastTxId])
  }

  /** Deletes the staged blocks above this height. */
  async trim(client: PoolClient, height: number): Promise<void> {
    const { rows } = await client.query<{ first: string }>('SELECT first_tx_id AS first FROM block WHERE height = $1', [height + 1])
    const first = rows[0]?.first
    if (first === undefined) return
    const tables = [
      'tx',
      'tx_raw',
      'own_script',
      ...parts.flatMap((part) => [`load_output_${partName(part)}`, `load_spend_${partName(part)}`]),
    ]
    for (const table of tables) await client.query(`DELETE FROM ${table} WHERE tx_id >= $1`, [first])
    await client.query(TRIM_RANGES, [height, first])
    await client.query('DELETE FROM block WHERE height > $1', [height])
  }
}
