import { Injectable } from '@nestjs/common'
import { AccountsDatabase } from '../database.module.js'
import { ChallengePurpose, type ChallengeRecord } from './challenge.js'

@Injectable()
export class ChallengesRepository {
  constructor(private readonly database: AccountsDatabase) {}

  async insert(hash: Uint8Array<ArrayBuffer>, challenge: ChallengeRecord): Promise<void> {
    await this.database.factorChallenge.create({ data: { hash, ...challenge } })
  }

  async find(hash: Uint8Array<ArrayBuffer>, now: Date): Promise<ChallengeRecord | undefined> {
    const row = await this.database.factorChallenge.findUnique({ where: { hash, expiresAt: { gt: now } } })
    return row ? { ...row, purpose: ChallengePurpose.parse(row.purpose) } : undefined
  }

  /** Of several answers at once, one takes it. */
  async take(hash: Uint8Array<ArrayBuffer>): Promise<boolean> {
    return (await this.database.factorChallenge.deleteMany({ where: { hash } })).count === 1
  }
}
