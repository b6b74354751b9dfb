import { Injectable } from '@nestjs/common'
import { StakingDatabase } from '../database.module.js'
import { recordOf } from '../lifecycle/stored-validator.js'
import type { ValidatorRecord } from '../lifecycle/validator-record.js'

@Injectable()
export class OwnerDeletionRepository {
  constructor(private readonly database: StakingDatabase) {}

  async list(userId: string): Promise<ValidatorRecord[]> {
    return (await this.database.validator.findMany({ where: { userId, removedAt: null } })).map(recordOf)
  }

  /** Those that their owner removed: bills may have them. */
  countRemoved(userId: string): Promise<number> {
    return this.database.validator.count({ where: { userId, removedAt: { not: null } } })
  }

  /** Those that no stake depends on. The rows stay: bills and the ledger are made of them. */
  async removeAllOf(userIds: readonly string[], removedAt: Date): Promise<void> {
    const where = { userId: { in: [...userIds] }, removedAt: null, OR: [{ depositedAt: null }, { exitedAt: { not: null } }] }
    await this.database.validator.updateMany({ where, data: { removedAt } })
  }
}
