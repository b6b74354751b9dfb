import { Injectable } from '@nestjs/common'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import { type EmailToken, type EmailTokenPurpose, hashEmailToken } from './email-token.js'
import type { User } from './user.js'
import { fromUserRow } from './users.repository.js'

@Injectable()
export class EmailTokensRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** Stores a token in place of any earlier one for the same purpose. */
  async replace(tx: AccountsTransaction, token: string, details: EmailToken): Promise<void> {
    await tx.emailToken.deleteMany({ where: { userId: details.userId, purpose: details.purpose } })
    await tx.emailToken.create({ data: { hash: hashEmailToken(token), ...details } })
  }

  /** The user that a token was mailed to, unless it has expired. */
  async findOwner(token: string, purpose: EmailTokenPurpose, now: Date): Promise<User | undefined> {
    const where = { hash: hashEmailToken(token), purpose, expiresAt: { gt: now } }
    const row = await this.database.emailToken.findUnique({ where, include: { user: true } })
    return row ? fromUserRow(row.user) : undefined
  }
}
