import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

@Injectable()
export class RawRepository {
  constructor(private readonly pool: Pool) {}

  /** The block that holds a transaction; the later one where two do (BIP 30). */
  async findBlockHash(txid: Buffer): Promise<Buffer | undefined> {
    const { rows } = await this.pool.query<{ hash: Buffer }>({
      name: 'block_of_transaction',
      text: 'SELECT hash FROM tx JOIN block USING (height) WHERE txid = $1 ORDER BY tx_id DESC LIMIT 1',
      values: [txid],
    })
    return rows[0]?.hash
  }
}
