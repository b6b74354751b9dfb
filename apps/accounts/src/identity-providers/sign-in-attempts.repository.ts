import { Injectable } from '@nestjs/common'
import { AccountsDatabase } from '../database.module.js'
import { hashAttempt, type SignInAttemptRecord } from './sign-in-attempt.js'

@Injectable()
export class SignInAttemptsRepository {
  constructor(private readonly database: AccountsDatabase) {}

  async insert(attempt: string, record: SignInAttemptRecord): Promise<void> {
    await this.database.signInAttempt.create({ data: { hash: hashAttempt(attempt), ...record } })
  }

  /** Takes an attempt away: it is good for one callback, whatever comes of it. */
  async take(attempt: string, provider: string, now: Date): Promise<SignInAttemptRecord | undefined> {
    const where = { hash: hashAttempt(attempt), provider, expiresAt: { gt: now } }
    const record = await this.database.signInAttempt.findUnique({ where })
    // Of two at the same time, one deletes it.
    const { count } = await this.database.signInAttempt.deleteMany({ where })
    return record && count === 1 ? record : undefined
  }
}
