import { Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'

// The later one if two blocks have it (BIP 30). Not by ORDER BY and LIMIT: without statistics that would scan all transactions.
const BLOCK_OF = 'SELECT hash FROM block WHERE height = (SELECT max(height) FROM tx WHERE txid = $1)'

@Injectable()
export class RawRepository {
  /** The block of a transaction. */
  async findBlockHash(client: PoolClient, txid: Buffer): Promise<Buffer | undefined> {
    const { rows } = await client.query<{ hash: Buffer }>({ name: 'block_of_transaction', text: BLOCK_OF, values: [txid] })
    return rows[0]?.hash
  }
}
