import { Injectable } from '@nestjs/common'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'

@Injectable()
export class RecoveryCodesRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** How many are left. */
  count(userId: string): Promise<number> {
    return this.database.recoveryCode.count({ where: { userId, usedAt: null } })
  }

  async replace(tx: AccountsTransaction, userId: string, hashes: readonly Uint8Array<ArrayBuffer>[], createdAt: Date): Promise<void> {
    await this.removeAll(tx, userId)
    await tx.recoveryCode.createMany({ data: hashes.map((hash) => ({ hash, userId, createdAt })) })
  }

  /** Uses up a code; of several requests at once, one succeeds. */
  async use(userId: string, hash: Uint8Array<ArrayBuffer>, usedAt: Date): Promise<boolean> {
    return (await this.database.recoveryCode.updateMany({ where: { hash, userId, usedAt: null }, data: { usedAt } })).count === 1
  }

  async removeAll(tx: AccountsTransaction, userId: string): Promise<void> {
    await tx.recoveryCode.deleteMany({ where: { userId } })
  }
}
