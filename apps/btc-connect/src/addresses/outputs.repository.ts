import { Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'
import type { ConfirmedOutput, Heights } from './unspent-output.js'

// Includes outputs that the mempool spends: a cheap upper bound.
const COUNT = {
  name: 'count_outputs',
  text: `SELECT (SELECT coalesce(sum(utxo_count), 0) FROM script WHERE script_key = ANY($1::uuid[]))
                + (SELECT count(*) FROM mempool_output WHERE script_key = ANY($1::uuid[])) AS count`,
}

const LIST_CONFIRMED = {
  name: 'list_outputs',
  text: `SELECT o.script_key AS key, o.tx_id, o.vout, o.value, t.txid, t.height, b.time, own.script AS own_script
           FROM txo o
           JOIN tx t USING (tx_id)
           JOIN block b USING (height)
           LEFT JOIN own_script own ON own.tx_id = o.tx_id AND own.vout = o.vout
          WHERE o.script_key = ANY($1::uuid[]) AND o.spent_tx_id IS NULL AND o.tx_id >= $2 AND o.tx_id < $3
            AND NOT EXISTS (SELECT FROM mempool_spend s WHERE s.prev_txid = t.txid AND s.prev_vout = o.vout)
          LIMIT $4`,
}

const LIST_UNCONFIRMED = {
  name: 'list_unconfirmed_outputs',
  text: `SELECT o.script_key AS key, o.txid, o.vout, o.value, floor(extract(epoch FROM m.first_seen))::int8 AS first_seen
           FROM mempool_output o
           JOIN mempool_tx m USING (txid)
          WHERE o.script_key = ANY($1::uuid[])
            AND NOT EXISTS (SELECT FROM mempool_spend s WHERE s.prev_txid = o.txid AND s.prev_vout = o.vout)
          ORDER BY m.seq DESC, o.vout LIMIT $2`,
}

const FIRST_TX = { name: 'first_tx_from_height', text: 'SELECT first_tx_id FROM block WHERE height >= $1::int8 ORDER BY height LIMIT 1' }

const LIST_RAW = { name: 'list_raw_of_mempool', text: 'SELECT txid, raw FROM mempool_tx WHERE txid = ANY($1::bytea[])' }

interface ConfirmedRow {
  key: string
  tx_id: string
  vout: number
  value: string
  txid: Buffer
  height: number
  time: number
  own_script: Buffer | null
}

interface UnconfirmedRow {
  key: string
  txid: Buffer
  vout: number
  value: string
  first_seen: string
}

// Above every possible tx_id.
const NO_TX = 2 ** 53

@Injectable()
export class OutputsRepository {
  /** An upper bound of the number of unspent outputs. */
  async count(client: PoolClient, keys: readonly string[]): Promise<number> {
    const { rows } = await client.query<{ count: string }>({ ...COUNT, values: [keys] })
    return Number(rows[0]?.count)
  }

  /** The outputs of these blocks, in no order. */
  async listConfirmed(client: PoolClient, keys: readonly string[], heights: Heights, limit: number): Promise<ConfirmedOutput[]> {
    const { minHeight, maxHeight } = heights
    const first = minHeight === undefined ? 0 : await this.firstTx(client, minHeight)
    const end = maxHeight === undefined ? NO_TX : await this.firstTx(client, maxHeight + 1)
    const { rows } = await client.query<ConfirmedRow>({ ...LIST_CONFIRMED, values: [keys, first, end, limit] })
    return rows.map(toConfirmed)
  }

  /** Newest first. */
  async listUnconfirmed(client: PoolClient, keys: readonly string[], limit: number) {
    const { rows } = await client.query<UnconfirmedRow>({ ...LIST_UNCONFIRMED, values: [keys, limit] })
    return rows.map(({ first_seen, value, ...row }) => ({ ...row, value: BigInt(value), firstSeen: Number(first_seen) }))
  }

  /** The mempool transactions among these, by txid in hex. */
  async listRaw(client: PoolClient, txids: readonly Buffer[]): Promise<Map<string, Buffer>> {
    const { rows } = await client.query<{ txid: Buffer; raw: Buffer }>({ ...LIST_RAW, values: [txids] })
    return new Map(rows.map(({ txid, raw }) => [txid.toString('hex'), raw]))
  }

  private async firstTx(client: PoolClient, height: number): Promise<number> {
    const { rows } = await client.query<{ first_tx_id: string }>({ ...FIRST_TX, values: [height] })
    return rows[0] ? Number(rows[0].first_tx_id) : NO_TX
  }
}

function toConfirmed({ tx_id, value, own_script, ...row }: ConfirmedRow): ConfirmedOutput {
  return { ...row, txId: Number(tx_id), value: BigInt(value), ...(own_script && { ownScript: own_script }) }
}
