import { Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'
import { IndexDatabase } from '../database.module.js'
import type { DeferredIndex, MergeStep } from './merge-steps.js'
import { BULK_UNDO_BLOCKS } from './settings.js'
import { partName } from './staged-rows.js'

// Rows are written in chain order, that of the outputs, as long as the spends fit into memory.
const JOIN = (part: string) => `
  WITH merged AS MATERIALIZED (
    SELECT output.tx_id, value, spend.tx_id AS spent_tx_id, vout, vin, script_key, script
    FROM load_output_${part} AS output LEFT JOIN load_spend_${part} AS spend USING (txid, vout)
  ), joined AS (
    INSERT INTO txo (tx_id, value, spent_tx_id, vout, spent_vin, script_key)
    SELECT tx_id, value, spent_tx_id, vout, vin, script_key FROM merged
  ), kept AS (
    INSERT INTO load_undo (tx_id, spent_tx_id, vout) SELECT tx_id, spent_tx_id, vout FROM merged WHERE spent_tx_id >= $1
  )
  INSERT INTO load_event (tx_id, value, spent_tx_id, script_key, script) SELECT tx_id, value, spent_tx_id, script_key, script FROM merged`

// UNION removes duplicates: a transaction counts once, however often it moves coins of a script.
const AGGREGATE = (part: string) => `
  WITH history AS (
    INSERT INTO script_tx (script_key, pos, tx_id)
    SELECT script_key, row_number() OVER (PARTITION BY script_key ORDER BY tx_id) - 1, tx_id
    FROM (SELECT script_key, tx_id FROM load_event_${part}
          UNION SELECT script_key, spent_tx_id FROM load_event_${part} WHERE spent_tx_id IS NOT NULL) AS movement
    RETURNING script_key
  ), counted AS (
    SELECT script_key, count(*) AS tx_count FROM history GROUP BY script_key
  ), summed AS (
    SELECT script_key, sum(value) AS received, coalesce(sum(value) FILTER (WHERE spent_tx_id IS NOT NULL), 0) AS sent,
      count(*) FILTER (WHERE spent_tx_id IS NULL) AS utxo_count, any_value(script) AS script
    FROM load_event_${part} GROUP BY script_key
  )
  INSERT INTO script (script_key, script, received, sent, tx_count, utxo_count)
  SELECT script_key, script, received, sent, tx_count, utxo_count FROM summed JOIN counted USING (script_key)`

// $1 and $2 are the heights of the newest blocks and their first transactions, oldest first.
const KEEP_UNDO = `
  INSERT INTO block_undo (height, spent_tx_ids, spent_vouts)
  SELECT height, coalesce(array_agg(tx_id) FILTER (WHERE tx_id IS NOT NULL), '{}'), coalesce(array_agg(vout) FILTER (WHERE vout IS NOT NULL), '{}')
  FROM unnest($1::int4[]) AS newest (height)
  LEFT JOIN (SELECT ($1::int4[])[width_bucket(spent_tx_id, $2::int8[])] AS height, tx_id, vout FROM load_undo) AS undo USING (height)
  GROUP BY height`

// The same as in the migrations.
const INDEXES: Record<DeferredIndex, string> = {
  tx_pkey: 'ALTER TABLE tx ADD CONSTRAINT tx_pkey PRIMARY KEY (tx_id)',
  tx_txid: 'CREATE INDEX tx_txid ON tx USING hash (txid)',
  tx_raw_pkey: 'ALTER TABLE tx_raw ADD CONSTRAINT tx_raw_pkey PRIMARY KEY (tx_id)',
  txo_pkey: 'ALTER TABLE txo ADD CONSTRAINT txo_pkey PRIMARY KEY (tx_id, vout)',
  txo_unspent: 'CREATE INDEX txo_unspent ON txo (script_key, tx_id) WHERE spent_tx_id IS NULL',
  own_script_pkey: 'ALTER TABLE own_script ADD CONSTRAINT own_script_pkey PRIMARY KEY (tx_id, vout)',
  script_pkey: 'ALTER TABLE script ADD CONSTRAINT script_pkey PRIMARY KEY (script_key)',
  script_tx_pkey: 'ALTER TABLE script_tx ADD CONSTRAINT script_tx_pkey PRIMARY KEY (script_key, pos)',
}

const NEWEST = `
  SELECT array_agg(height ORDER BY height) AS heights, array_agg(first_tx_id ORDER BY height) AS firsts
  FROM (SELECT height, first_tx_id FROM block ORDER BY height DESC LIMIT $1) AS newest`

interface Newest {
  readonly heights: number[]
  readonly firsts: string[]
}

// There are no statistics yet for tables that were filled a moment ago, so the planner would take them for small ones.
const SETTINGS = {
  synchronous_commit: 'off',
  jit: 'off',
  enable_nestloop: 'off',
  enable_mergejoin: 'off',
  // Ends the step of a killed writer soon: the next writer waits for its locks.
  client_connection_check_interval: '2s',
}

/** Builds the tables of the index from the staging tables. */
@Injectable()
export class MergeRepository {
  constructor(private readonly database: IndexDatabase) {}

  async listDone(): Promise<Set<number>> {
    const steps = await this.database.loadStep.findMany({ select: { step: true } })
    return new Set(steps.map(({ step }) => step))
  }

  /** Runs a step, deletes the rows that it has read and records that it is done. */
  async run(client: PoolClient, step: MergeStep, memoryMb: number): Promise<void> {
    await this.configure(client, { ...SETTINGS, work_mem: `${memoryMb}MB`, maintenance_work_mem: `${2 * memoryMb}MB` })
    await this.perform(client, step)
    await client.query('INSERT INTO load_step (step, done_at) VALUES ($1, now())', [step.number])
    await client.query('UPDATE index_state SET merge_step = (SELECT count(*) FROM load_step), updated_at = now()')
  }

  async finish(client: PoolClient): Promise<void> {
    await client.query('ANALYZE block, tx, tx_raw, txo, own_script, script, script_tx, block_undo')
    await client.query('TRUNCATE load_range, load_step')
  }

  private async perform(client: PoolClient, step: MergeStep): Promise<void> {
    switch (step.kind) {
      case 'join': {
        const part = partName(step.part)
        await client.query(JOIN(part), [(await newestBlocks(client)).firsts[0]])
        await client.query(`TRUNCATE load_output_${part}, load_spend_${part}`)
        return
      }
      case 'aggregate': {
        const part = partName(step.part)
        await client.query(AGGREGATE(part))
        await client.query(`TRUNCATE load_event_${part}`)
        return
      }
      case 'index':
        await client.query(INDEXES[step.index])
        return
      case 'keep-undo': {
        const { heights, firsts } = await newestBlocks(client)
        await client.query(KEEP_UNDO, [heights, firsts])
      }
    }
  }

  /** For this transaction only. */
  private async configure(client: PoolClient, settings: Record<string, string>): Promise<void> {
    const values = [Object.keys(settings), Object.values(settings)]
    await client.query('SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS setting (name, value)', values)
  }
}

async function newestBlocks(client: PoolClient): Promise<Newest> {
  const { rows } = await client.query<Newest>(NEWEST, [BULK_UNDO_BLOCKS])
  if (!rows[0]?.heights) throw new Error('There are no blocks to merge.')
  return rows[0]
}
