import { Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'
import type { KnownBlock } from './block.js'
import type { BlockDay } from './day.js'

// The ids concatenated: in an array, each would be sent as text.
const FIND = {
  name: 'find_block',
  text: `SELECT b.height, b.header, b.size, b.chainwork, b.coinbase, b.payout_script, next.hash AS next_hash,
                (SELECT string_agg(txid, '' ORDER BY tx_id) FROM tx
                  WHERE tx_id >= b.first_tx_id AND tx_id < b.first_tx_id + b.tx_count) AS txids
           FROM block b LEFT JOIN block next ON next.height = b.height + 1
          WHERE b.hash = $1`,
}

const FIND_STALE = {
  name: 'find_stale_block',
  text: `SELECT height, header, size, chainwork, coinbase, payout_script, NULL::bytea AS next_hash,
                (SELECT string_agg(txid, '' ORDER BY place) FROM unnest(txids) WITH ORDINALITY AS listed(txid, place)) AS txids
           FROM stale_block WHERE hash = $1`,
}

const FIND_HASH = { name: 'find_block_hash', text: 'SELECT hash FROM block WHERE height = $1' }

const LIST = {
  name: 'list_blocks',
  text: `SELECT height, hash, size, time, tx_count AS "txCount", coinbase, payout_script AS "payoutScript"
           FROM block
          WHERE time >= $1::int8 AND (time, height) < ($2::int8, $3::int8)
          ORDER BY time DESC, height DESC LIMIT $4`,
}

const FIND_TIP_TIME = { name: 'find_tip_time', text: 'SELECT time FROM block ORDER BY height DESC LIMIT 1' }

interface Row {
  height: number
  header: Buffer
  size: number
  chainwork: Buffer
  coinbase: Buffer
  payout_script: Buffer
  next_hash: Buffer | null
  txids: Buffer
}

interface StoredBlock {
  readonly height: number
  readonly hash: Buffer
  readonly size: number
  readonly time: number
  readonly txCount: number
  readonly coinbase: Buffer
  readonly payoutScript: Buffer
}

@Injectable()
export class BlocksRepository {
  async find(client: PoolClient, hash: Buffer): Promise<KnownBlock | undefined> {
    const { rows } = await client.query<Row>({ ...FIND, values: [hash] })
    return rows[0] && toKnownBlock(rows[0], hash, true)
  }

  /** A block that is no longer in the best chain. */
  async findStale(client: PoolClient, hash: Buffer): Promise<KnownBlock | undefined> {
    const { rows } = await client.query<Row>({ ...FIND_STALE, values: [hash] })
    return rows[0] && toKnownBlock(rows[0], hash, false)
  }

  async findHash(client: PoolClient, height: number): Promise<Buffer | undefined> {
    const { rows } = await client.query<{ hash: Buffer }>({ ...FIND_HASH, values: [height] })
    return rows[0]?.hash
  }

  /** Newest first, and of one time the highest first. */
  async list(client: PoolClient, { start, before, beforeHeight }: BlockDay, limit: number): Promise<StoredBlock[]> {
    const { rows } = await client.query<StoredBlock>({ ...LIST, values: [start, before, beforeHeight, limit] })
    return rows
  }

  async findTipTime(client: PoolClient): Promise<number> {
    const { rows } = await client.query<{ time: number }>(FIND_TIP_TIME)
    return rows[0]?.time ?? 0
  }
}

function toKnownBlock({ payout_script, next_hash, ...row }: Row, hash: Buffer, isMainChain: boolean): KnownBlock {
  return { ...row, hash, payoutScript: payout_script, isMainChain, ...(next_hash && { nextHash: next_hash }) }
}
