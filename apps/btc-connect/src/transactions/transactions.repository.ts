import { Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'
import type { HistoryEntry } from '../history/history.js'
import { type Outpoint, outpointKey } from './outpoint.js'
import type { InBlock, InMempool, Prevout, Spend } from './transaction.js'

// BIP 30: two blocks may contain the same txid, and the outputs are those of the later one.
const FIND = {
  name: 'find_transaction',
  text: `SELECT tx_id FROM tx WHERE txid = $1
         UNION ALL SELECT NULL FROM mempool_tx WHERE txid = $1`,
}

const LIST_CONFIRMED = {
  name: 'list_transactions',
  text: `SELECT t.tx_id, t.height, b.hash, b.time, r.raw
           FROM tx t JOIN block b USING (height) LEFT JOIN tx_raw r USING (tx_id)
          WHERE t.tx_id = ANY($1::bigint[])`,
}

const LIST_UNCONFIRMED = {
  name: 'list_mempool_transactions',
  text: `SELECT txid, raw, floor(extract(epoch FROM first_seen))::int8 AS first_seen FROM mempool_tx WHERE txid = ANY($1::bytea[])`,
}

const LIST_PREVOUTS = {
  name: 'list_prevouts',
  // OFFSET makes each outpoint an index lookup, where a join might scan all transactions.
  text: `SELECT p.txid, p.vout, found.value, found.script
           FROM unnest($1::bytea[], $2::int[]) AS p(txid, vout)
           CROSS JOIN LATERAL (
             SELECT o.value, s.script
               FROM tx t
               JOIN txo o ON o.tx_id = t.tx_id AND o.vout = p.vout
               JOIN script s ON s.script_key = o.script_key
              WHERE t.txid = p.txid OFFSET 0) found`,
}

const LIST_SPENDS = {
  name: 'list_spends',
  text: `SELECT t.txid AS spent, o.vout, s.txid, o.spent_vin AS index, s.height
           FROM txo o JOIN tx t USING (tx_id) JOIN tx s ON s.tx_id = o.spent_tx_id
          WHERE o.tx_id = ANY($1::bigint[]) AND o.spent_tx_id IS NOT NULL
         UNION ALL
         SELECT prev_txid, prev_vout, txid, vin, -1 FROM mempool_spend WHERE prev_txid = ANY($2::bytea[])`,
}

const FIND_BLOCK = { name: 'find_block_range', text: 'SELECT first_tx_id, tx_count FROM block WHERE hash = $1' }

const LIST_RANGE = {
  name: 'list_transaction_range',
  text: 'SELECT tx_id, txid FROM tx WHERE tx_id >= $1 AND tx_id < $2 ORDER BY tx_id',
}

interface ConfirmedRow {
  tx_id: string
  height: number
  hash: Buffer
  time: number
  raw: Buffer | null
}

interface SpendRow extends Spend {
  spent: Buffer
  vout: number
}

interface ConfirmedTransaction extends InBlock {
  /** Null if it is not stored here. */
  readonly raw: Buffer | null
}

interface MempoolTransaction extends InMempool {
  readonly raw: Buffer
}

/** The transactions of a block, as a range of ids. */
interface BlockRange {
  readonly firstTxId: number
  readonly txCount: number
}

@Injectable()
export class TransactionsRepository {
  async find(client: PoolClient, txid: Buffer): Promise<HistoryEntry | undefined> {
    const { rows } = await client.query<{ tx_id: string | null }>({ ...FIND, values: [txid] })
    const confirmed = rows.flatMap(({ tx_id }) => (tx_id === null ? [] : [Number(tx_id)]))
    if (confirmed.length > 0) return { txid, txId: Math.max(...confirmed) }
    return rows.length > 0 ? { txid } : undefined
  }

  /** By id. */
  async listConfirmed(client: PoolClient, txIds: readonly number[]): Promise<Map<number, ConfirmedTransaction>> {
    const { rows } = await client.query<ConfirmedRow>({ ...LIST_CONFIRMED, values: [txIds] })
    return new Map(rows.map(({ tx_id, hash, height, time, raw }) => [Number(tx_id), { blockHash: hash, height, time, raw }]))
  }

  /** By txid in hex. */
  async listUnconfirmed(client: PoolClient, txids: readonly Buffer[]): Promise<Map<string, MempoolTransaction>> {
    const { rows } = await client.query<{ txid: Buffer; raw: Buffer; first_seen: string }>({ ...LIST_UNCONFIRMED, values: [txids] })
    return new Map(rows.map(({ txid, raw, first_seen }) => [txid.toString('hex'), { raw, firstSeen: Number(first_seen) }]))
  }

  /** The confirmed ones among them, by outpoint. */
  async listPrevouts(client: PoolClient, outpoints: readonly Outpoint[]): Promise<Map<string, Prevout>> {
    const values = [outpoints.map(({ txid }) => txid), outpoints.map(({ vout }) => vout)]
    const { rows } = await client.query<Outpoint & { value: string; script: Buffer }>({ ...LIST_PREVOUTS, values })
    return new Map(rows.map(({ value, script, ...outpoint }) => [outpointKey(outpoint), { value: BigInt(value), script }]))
  }

  /** The inputs that spend the outputs of these transactions, by txid in hex and then by output; a block overrides the mempool. */
  async listSpends(client: PoolClient, entries: readonly HistoryEntry[]): Promise<Map<string, Map<number, Spend>>> {
    const txIds = entries.flatMap(({ txId }) => (txId === undefined ? [] : [txId]))
    const { rows } = await client.query<SpendRow>({ ...LIST_SPENDS, values: [txIds, entries.map(({ txid }) => txid)] })
    const spends = new Map(entries.map(({ txid }) => [txid.toString('hex'), new Map<number, Spend>()]))
    for (const { spent, vout, ...spend } of rows) {
      const known = spends.get(spent.toString('hex'))
      if (!known?.has(vout) || spend.height >= 0) known?.set(vout, spend)
    }
    return spends
  }

  /** The range of a block of the best chain. */
  async findBlock(client: PoolClient, hash: Buffer): Promise<BlockRange | undefined> {
    const { rows } = await client.query<{ first_tx_id: string; tx_count: number }>({ ...FIND_BLOCK, values: [hash] })
    return rows[0] && { firstTxId: Number(rows[0].first_tx_id), txCount: rows[0].tx_count }
  }

  /** `first` inclusive, `end` exclusive, in chain order. */
  async listRange(client: PoolClient, first: number, end: number): Promise<HistoryEntry[]> {
    const { rows } = await client.query<{ tx_id: string; txid: Buffer }>({ ...LIST_RANGE, values: [first, end] })
    return rows.map(({ tx_id, txid }) => ({ txid, txId: Number(tx_id) }))
  }
}
