import { Injectable } from '@nestjs/common'
import { StakingDatabase } from '../database.module.js'
import { recordOf } from '../lifecycle/stored-validator.js'
import type { ValidatorRecord } from '../lifecycle/validator-record.js'

const STAKING = { depositedAt: { not: null }, exitedAt: null }
const NOT_STAKING = { OR: [{ depositedAt: null }, { exitedAt: { not: null } }] }

@Injectable()
export class OwnerDeletionRepository {
  constructor(private readonly database: StakingDatabase) {}

  /** Those of the lists, and whatever stakes: its owner could restore it to exit it. */
  async list(organizationIds: readonly string[]): Promise<ValidatorRecord[]> {
    const where = { organizationId: { in: [...organizationIds] }, OR: [{ removedAt: null }, STAKING] }
    return (await this.database.validator.findMany({ where })).map(recordOf)
  }

  /** Those that their owner removed: bills may have them. */
  countRemoved(organizationIds: readonly string[]): Promise<number> {
    return this.database.validator.count({
      where: { organizationId: { in: [...organizationIds] }, removedAt: { not: null }, ...NOT_STAKING },
    })
  }

  /** Those that no stake depends on; nobody restores them. The rows stay: bills and the ledger are made of them. */
  async removeAllOf(organizationIds: readonly string[], removedAt: Date): Promise<void> {
    const where = { organizationId: { in: [...organizationIds] }, ...NOT_STAKING }
    await this.database.validator.updateMany({ where: { ...where, removedAt: null }, data: { removedAt } })
    await this.database.validator.updateMany({ where: { ...where, restorableUntil: { not: null } }, data: { restorableUntil: null } })
  }
}
