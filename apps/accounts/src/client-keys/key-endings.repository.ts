import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'

@Injectable()
export class KeyEndingsRepository {
  async deleteAll(tx: AccountsTransaction, of: { organizationId: string; userId?: string }, deletedAt: Date): Promise<void> {
    await tx.clientKey.updateMany({ where: { ...of, deletedAt: null }, data: { deletedAt, epoch: { increment: 1 } } })
  }
}
