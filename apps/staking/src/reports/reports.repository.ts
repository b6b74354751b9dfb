import { Injectable } from '@nestjs/common'
import { StakingDatabase } from '../database.module.js'

/** A validator in a report. */
interface ReportedValidator {
  readonly serial: number
  readonly chain: string
  readonly pubkey: string
  readonly createdAt: Date
}

// Removed validators are included: they have earned too.
@Injectable()
export class ReportsRepository {
  constructor(private readonly database: StakingDatabase) {}

  /** Those of these users who had created a validator before this time. */
  async listUsers(userIds: readonly string[], before: Date): Promise<Set<string>> {
    const where = { userId: { in: [...userIds] }, createdAt: { lt: before } }
    const groups = await this.database.validator.groupBy({ by: 'userId', where })
    return new Set(groups.map(({ userId }) => userId))
  }

  /** What a user had created before this time, by chain and age. */
  async listCreated(userId: string, before: Date): Promise<ReportedValidator[]> {
    const rows = await this.database.validator.findMany({
      where: { userId, createdAt: { lt: before } },
      select: { serial: true, chain: true, pubkey: true, createdAt: true },
      orderBy: [{ chain: 'asc' }, { serial: 'asc' }],
    })
    return rows.map(({ pubkey, ...row }) => ({ ...row, pubkey: Buffer.from(pubkey).toString('hex') }))
  }
}
