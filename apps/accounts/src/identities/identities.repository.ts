import { Injectable } from '@nestjs/common'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { IdentityRecord } from './identity.js'

@Injectable()
export class IdentitiesRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** The oldest first. */
  list(userId: string, tx: AccountsTransaction = this.database): Promise<IdentityRecord[]> {
    return tx.externalIdentity.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  }

  /** The same. Until the transaction ends, no session is opened with one of them, and nobody else unlinks one. */
  async lock(tx: AccountsTransaction, userId: string): Promise<IdentityRecord[]> {
    await tx.$queryRaw`SELECT 1 FROM external_identity WHERE user_id = ${userId} ORDER BY id FOR UPDATE`
    return this.list(userId, tx)
  }

  async delete(tx: AccountsTransaction, id: string): Promise<void> {
    await tx.externalIdentity.delete({ where: { id } })
  }
}
