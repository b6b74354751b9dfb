import { Injectable } from '@nestjs/common'
import type { Revocation } from '@trestle/contracts/accounts/messages'
import { Pool } from 'pg'
import type { Transaction } from '../database.module.js'
import type { RevocationPosition } from './revocation.js'

interface Row {
  kind: Revocation['kind']
  id: string
  epoch: number
  recorded_at: Date
}

@Injectable()
export class RevocationsRepository {
  constructor(private readonly pool: Pool) {}

  /** An epoch only ever rises. */
  async record(tx: Transaction, { kind, id, epoch }: Revocation): Promise<void> {
    await tx.$executeRaw`
      INSERT INTO revocation (kind, id, epoch) VALUES (${kind}, ${id}, ${epoch})
      ON CONFLICT (kind, id) DO UPDATE SET epoch = greatest(revocation.epoch, excluded.epoch), recorded_at = clock_timestamp()`
  }

  /** In the order of their times by the database's clock, the oldest first; plain SQL, for every replica asks each second. */
  async list(after: RevocationPosition, limit: number): Promise<{ asOf: Date; rows: (Revocation & RevocationPosition)[] }> {
    const {
      rows: [clock],
    } = await this.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
    const { rows } = await this.pool.query<Row>({
      name: 'list_revocations',
      text: `SELECT kind, id, epoch, recorded_at FROM revocation
              WHERE (recorded_at, kind, id) > ($1, $2, $3) ORDER BY recorded_at, kind, id LIMIT $4`,
      values: [after.recordedAt, after.kind, after.id, limit],
    })
    return {
      asOf: clock?.now ?? new Date(0),
      rows: rows.map(({ recorded_at, ...revocation }) => ({ ...revocation, recordedAt: recorded_at })),
    }
  }
}
