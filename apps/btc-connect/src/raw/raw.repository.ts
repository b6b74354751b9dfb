import { Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'

// The later one where two blocks have it (BIP 30). Not by ORDER BY and LIMIT: without statistics that is a walk through all transactions.
const BLOCK_OF = 'SELECT hash FROM block WHERE height = (SELECT max(height) FROM tx WHERE txid = $1)'

@Injectable()
export class RawRepository {
  /** The block that holds a transaction. */
  async findBlockHash(client: PoolClient, txid: Buffer): Promise<Buffer | undefined> {
    const { rows } = await client.query<{ hash: Buffer }>({ name: 'block_of_transaction', text: BLOCK_OF, values: [txid] })
    return rows[0]?.hash
  }
}
