import { Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'
import type { HistoryEntry, HistoryRange, Slice } from './history.js'
import type { KeyedSlice } from './merged-history.js'

// The transactions of the mempool that involve one of the scripts, each once.
const TOUCHING = `SELECT txid FROM mempool_output WHERE script_key = ANY($1::uuid[])
                  UNION SELECT txid FROM mempool_spend WHERE script_key = ANY($1::uuid[])`

const COUNT_UNCONFIRMED = { name: 'count_unconfirmed', text: `SELECT count(*)::int AS count FROM (${TOUCHING}) touching` }

const LIST_UNCONFIRMED = {
  name: 'list_unconfirmed',
  text: `SELECT txid FROM mempool_tx JOIN (${TOUCHING}) touching USING (txid) ORDER BY seq DESC LIMIT $2 OFFSET $3`,
}

const COUNT_CONFIRMED = {
  name: 'count_confirmed',
  text: 'SELECT script_key AS key, tx_count AS count FROM script WHERE script_key = ANY($1::uuid[])',
}

const COUNT_DISTINCT = {
  name: 'count_distinct',
  text: 'SELECT count(DISTINCT tx_id)::int AS count FROM script_tx WHERE script_key = ANY($1::uuid[])',
}

const LIST_CONFIRMED = {
  name: 'list_confirmed',
  text: `SELECT t.tx_id, t.txid FROM script_tx h JOIN tx t USING (tx_id)
          WHERE h.script_key = $1 AND h.pos >= $2 AND h.pos < $3 ORDER BY h.pos DESC`,
}

const LIST_SLICES = {
  name: 'list_slices',
  text: `SELECT s.key, array_agg(h.tx_id) AS tx_ids
           FROM unnest($1::uuid[], $2::int[], $3::int[]) AS s(key, low, high)
           JOIN script_tx h ON h.script_key = s.key AND h.pos >= s.low AND h.pos < s.high
          GROUP BY s.key`,
}

const LIST_TXIDS = { name: 'list_txids', text: 'SELECT tx_id, txid FROM tx WHERE tx_id = ANY($1::bigint[]) ORDER BY tx_id DESC' }

/** The transactions of scripts. A position is the ordinal of a transaction in the history of one script. */
@Injectable()
export class HistoryRepository {
  async countUnconfirmed(client: PoolClient, keys: readonly string[]): Promise<number> {
    const { rows } = await client.query<{ count: number }>({ ...COUNT_UNCONFIRMED, values: [keys] })
    return rows[0]?.count ?? 0
  }

  /** Newest first. */
  async listUnconfirmed(client: PoolClient, keys: readonly string[], { from, to }: HistoryRange): Promise<HistoryEntry[]> {
    const { rows } = await client.query<HistoryEntry>({ ...LIST_UNCONFIRMED, values: [keys, to - from, from] })
    return rows
  }

  /** How many confirmed transactions each script has; a script without any is omitted. */
  async countConfirmed(client: PoolClient, keys: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await client.query<{ key: string; count: number }>({ ...COUNT_CONFIRMED, values: [keys] })
    return new Map(rows.map(({ key, count }) => [key, count]))
  }

  /** How many confirmed transactions the scripts have together: reads their whole histories. */
  async countDistinct(client: PoolClient, keys: readonly string[]): Promise<number> {
    const { rows } = await client.query<{ count: number }>({ ...COUNT_DISTINCT, values: [keys] })
    return rows[0]?.count ?? 0
  }

  /** Newest first. */
  async listConfirmed(client: PoolClient, key: string, { low, high }: Slice): Promise<HistoryEntry[]> {
    const { rows } = await client.query<TxRow>({ ...LIST_CONFIRMED, values: [key, low, high] })
    return rows.map(toEntry)
  }

  async listSlices(client: PoolClient, slices: readonly KeyedSlice[]): Promise<Map<string, number[]>> {
    const values = [slices.map(({ key }) => key), slices.map(({ low }) => low), slices.map(({ high }) => high)]
    const { rows } = await client.query<{ key: string; tx_ids: string[] }>({ ...LIST_SLICES, values })
    return new Map(rows.map(({ key, tx_ids }) => [key, tx_ids.map(Number)]))
  }

  /** Newest first. */
  async listEntries(client: PoolClient, txIds: readonly number[]): Promise<HistoryEntry[]> {
    const { rows } = await client.query<TxRow>({ ...LIST_TXIDS, values: [txIds] })
    return rows.map(toEntry)
  }
}

interface TxRow {
  tx_id: string
  txid: Buffer
}

function toEntry({ tx_id, txid }: TxRow): HistoryEntry {
  return { txid, txId: Number(tx_id) }
}
