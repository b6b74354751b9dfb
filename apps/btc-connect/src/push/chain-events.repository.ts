import { Injectable } from '@nestjs/common'
import { parseHeader } from '@trestle/bitcoin/block'
import type { PoolClient } from 'pg'
import type { NewBlock, NewTransaction, ScriptTouch } from './event-text.js'

const LAST_SEQ = { name: 'last_mempool_seq', text: 'SELECT max(seq) AS seq FROM mempool_tx' }

const LIST_TRANSACTIONS = {
  name: 'list_new_transactions',
  text: `SELECT txid, raw, floor(extract(epoch FROM first_seen))::int8 AS first_seen
           FROM mempool_tx WHERE seq > $1 ORDER BY seq DESC LIMIT $2`,
}

const LIST_TOUCHED_BY_MEMPOOL = {
  name: 'list_touched_by_mempool',
  text: `SELECT script_key AS key, txid FROM mempool_output WHERE txid = ANY($1::bytea[]) AND script_key = ANY($2::uuid[])
         UNION SELECT script_key, txid FROM mempool_spend WHERE txid = ANY($1::bytea[]) AND script_key = ANY($2::uuid[])`,
}

const LIST_BLOCKS = {
  name: 'list_new_blocks',
  text: `SELECT height, hash, header, time, size, tx_count AS "txCount", first_tx_id
           FROM block WHERE height > $1 ORDER BY height DESC LIMIT $2`,
}

// The cost depends on the block only, not on the number of tracked scripts or the length of their histories.
const LIST_TOUCHED_BY_BLOCK = {
  name: 'list_touched_by_block',
  text: `SELECT touched.key, t.txid
           FROM (SELECT script_key AS key, tx_id FROM txo WHERE tx_id >= $1 AND tx_id < $2 AND script_key = ANY($4::uuid[])
                 UNION
                 SELECT o.script_key, o.spent_tx_id
                   FROM block_undo u
                   CROSS JOIN LATERAL unnest(u.spent_tx_ids, u.spent_vouts) AS s(tx_id, vout)
                   JOIN txo o USING (tx_id, vout)
                  WHERE u.height = $3 AND o.script_key = ANY($4::uuid[])) touched
           JOIN tx t USING (tx_id)
          ORDER BY tx_id`,
}

const FIND_HEIGHT = { name: 'find_height', text: 'SELECT height FROM block WHERE hash = $1' }

const FIND_STALE_HEADER = { name: 'find_stale_header', text: 'SELECT header FROM stale_block WHERE hash = $1' }

// As far as the index can be rolled back quickly.
const MAX_FORK_DEPTH = 300

@Injectable()
export class ChainEventsRepository {
  /** The number of the newest transaction of the mempool. */
  async findLastSeq(client: PoolClient): Promise<number | undefined> {
    const { rows } = await client.query<{ seq: string | null }>(LAST_SEQ)
    return rows[0]?.seq == null ? undefined : Number(rows[0].seq)
  }

  /** The newest transactions after this one, oldest first. */
  async listTransactions(client: PoolClient, afterSeq: number, limit: number): Promise<NewTransaction[]> {
    const { rows } = await client.query<NewTransaction & { first_seen: string }>({ ...LIST_TRANSACTIONS, values: [afterSeq, limit] })
    return rows.map(({ txid, raw, first_seen }) => ({ txid, raw, firstSeen: Number(first_seen) })).reverse()
  }

  async listTouchedByMempool(client: PoolClient, txids: readonly Buffer[], keys: readonly string[]): Promise<ScriptTouch[]> {
    const { rows } = await client.query<ScriptTouch>({ ...LIST_TOUCHED_BY_MEMPOOL, values: [txids, keys] })
    return rows
  }

  /** The newest blocks above this height, lowest first. */
  async listBlocks(client: PoolClient, above: number, limit: number): Promise<NewBlock[]> {
    const { rows } = await client.query<NewBlock & { first_tx_id: string }>({ ...LIST_BLOCKS, values: [above, limit] })
    return rows.map(({ first_tx_id, ...block }) => ({ ...block, firstTxId: Number(first_tx_id) })).reverse()
  }

  /** In the order of the block, which is one of the newest 300. */
  async listTouchedByBlock(client: PoolClient, { height, firstTxId, txCount }: NewBlock, keys: readonly string[]): Promise<ScriptTouch[]> {
    const { rows } = await client.query<ScriptTouch>({ ...LIST_TOUCHED_BY_BLOCK, values: [firstTxId, firstTxId + txCount, height, keys] })
    return rows
  }

  /** The height at which the chain that ends with this block forks from ours; undefined if that is unknown or too deep. */
  async findFork(client: PoolClient, hash: Buffer): Promise<number | undefined> {
    let at = hash
    for (let depth = 0; depth <= MAX_FORK_DEPTH; depth++) {
      const { rows: ours } = await client.query<{ height: number }>({ ...FIND_HEIGHT, values: [at] })
      if (ours[0]) return ours[0].height
      const { rows: stale } = await client.query<{ header: Buffer }>({ ...FIND_STALE_HEADER, values: [at] })
      if (!stale[0]) return undefined
      at = parseHeader(stale[0].header).previousHash
    }
    return undefined
  }
}
