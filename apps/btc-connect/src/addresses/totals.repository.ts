import { Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'
import type { AddressTotals } from './address.js'

interface Row {
  received: string
  sent: string
  tx_count: number
  unconfirmed: string
  unconfirmed_tx_count: number
}

// One row for what is confirmed, however long the history, and the few rows of the mempool.
const FIND = {
  name: 'find_totals',
  text: `SELECT coalesce(s.received, 0) AS received, coalesce(s.sent, 0) AS sent, coalesce(s.tx_count, 0) AS tx_count,
                (SELECT coalesce(sum(value), 0) FROM mempool_output WHERE script_key = $1::uuid)
                  - (SELECT coalesce(sum(value), 0) FROM mempool_spend WHERE script_key = $1::uuid) AS unconfirmed,
                (SELECT count(*)::int FROM (SELECT txid FROM mempool_output WHERE script_key = $1::uuid
                                            UNION SELECT txid FROM mempool_spend WHERE script_key = $1::uuid) t) AS unconfirmed_tx_count
           FROM (SELECT) one LEFT JOIN script s ON s.script_key = $1::uuid`,
}

const FIND_EACH = {
  name: 'find_totals_of_each',
  text: `SELECT k.key, coalesce(s.received, 0) AS received, coalesce(s.sent, 0) AS sent, coalesce(s.tx_count, 0) AS tx_count,
                (SELECT coalesce(sum(value), 0) FROM mempool_output WHERE script_key = k.key)
                  - (SELECT coalesce(sum(value), 0) FROM mempool_spend WHERE script_key = k.key) AS unconfirmed,
                (SELECT count(*)::int FROM (SELECT txid FROM mempool_output WHERE script_key = k.key
                                            UNION SELECT txid FROM mempool_spend WHERE script_key = k.key) t) AS unconfirmed_tx_count
           FROM unnest($1::uuid[]) AS k(key) LEFT JOIN script s ON s.script_key = k.key`,
}

const NONE: Row = { received: '0', sent: '0', tx_count: 0, unconfirmed: '0', unconfirmed_tx_count: 0 }

@Injectable()
export class TotalsRepository {
  /** Zeros for a script that was never paid. */
  async find(client: PoolClient, key: string): Promise<AddressTotals> {
    const { rows } = await client.query<Row>({ ...FIND, values: [key] })
    return fromRow(rows[0])
  }

  /** Of each of them, in their order. */
  async findEach(client: PoolClient, keys: readonly string[]): Promise<AddressTotals[]> {
    const { rows } = await client.query<Row & { key: string }>({ ...FIND_EACH, values: [keys] })
    const found = new Map(rows.map((row) => [row.key, fromRow(row)]))
    return keys.map((key) => found.get(key) ?? fromRow())
  }
}

function fromRow({ received, sent, tx_count, unconfirmed, unconfirmed_tx_count }: Row = NONE): AddressTotals {
  return {
    received: BigInt(received),
    sent: BigInt(sent),
    txCount: tx_count,
    unconfirmed: BigInt(unconfirmed),
    unconfirmedTxCount: unconfirmed_tx_count,
  }
}
