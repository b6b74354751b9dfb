import { Injectable } from '@nestjs/common'
import type { Revocation } from '@trestle/contracts/accounts/messages'
import { selectList } from '@trestle/database/columns'
import { Pool } from 'pg'
import type { AccountsTransaction } from '../database.module.js'
import type { RevocationPosition } from './revocation.js'

const FIELDS = ['kind', 'id', 'epoch', 'recordedAt'] as const

@Injectable()
export class RevocationsRepository {
  constructor(private readonly pool: Pool) {}

  /** An epoch never decreases. */
  async upsert(tx: AccountsTransaction, { kind, id, epoch }: Revocation): Promise<void> {
    await tx.$executeRaw`
      INSERT INTO revocation (kind, id, epoch) VALUES (${kind}, ${id}, ${epoch})
      ON CONFLICT (kind, id) DO UPDATE SET epoch = greatest(revocation.epoch, excluded.epoch), recorded_at = clock_timestamp()`
  }

  /** Oldest first, by the database's clock. SQL: every replica reads this each second, and the position is a row comparison. */
  async list(after: RevocationPosition, limit: number): Promise<{ asOf: Date; rows: (Revocation & RevocationPosition)[] }> {
    const {
      rows: [clock],
    } = await this.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
    const { rows } = await this.pool.query<Revocation & RevocationPosition>({
      name: 'list_revocations',
      text: `SELECT ${selectList(FIELDS)} FROM revocation
              WHERE (recorded_at, kind, id) > ($1, $2, $3) ORDER BY recorded_at, kind, id LIMIT $4`,
      values: [after.recordedAt, after.kind, after.id, limit],
    })
    return { asOf: clock?.now ?? new Date(0), rows }
  }
}
