import { Injectable } from '@nestjs/common'
import type { PoolClient } from 'pg'
import type { FeeBand } from './fee-bands.js'

interface Row {
  readonly rate: number
  readonly transactions: string
  readonly vsize: string
  readonly fees: string
}

const LIST = { name: 'list_mempool_bands', text: 'SELECT rate, transactions, vsize, fees FROM mempool_band' }

@Injectable()
export class MempoolSizeRepository {
  /** One row per band. */
  async list(client: PoolClient): Promise<FeeBand[]> {
    const { rows } = await client.query<Row>(LIST)
    return rows.map(fromRow)
  }
}

function fromRow({ rate, transactions, vsize, fees }: Row): FeeBand {
  return { rate, transactions: Number(transactions), vsize: Number(vsize), fees: BigInt(fees) }
}
