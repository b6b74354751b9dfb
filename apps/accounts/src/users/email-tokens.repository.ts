import { Injectable } from '@nestjs/common'
import { Database, type Transaction } from '../database.module.js'
import { type EmailToken, hashEmailToken, type Purpose } from './email-token.js'
import type { User } from './user.js'
import { toUser } from './users.repository.js'

@Injectable()
export class EmailTokensRepository {
  constructor(private readonly database: Database) {}

  /** Adds a token in the place of any earlier one for the same purpose. */
  async replace(tx: Transaction, token: string, details: EmailToken): Promise<void> {
    await tx.emailToken.deleteMany({ where: { userId: details.userId, purpose: details.purpose } })
    await tx.emailToken.create({ data: { hash: hashEmailToken(token), ...details } })
  }

  /** Whose token this is, unless it has expired. */
  async findOwner(token: string, purpose: Purpose, now: Date): Promise<User | undefined> {
    const where = { hash: hashEmailToken(token), purpose, expiresAt: { gt: now } }
    const row = await this.database.emailToken.findUnique({ where, include: { user: true } })
    return row ? toUser(row.user) : undefined
  }
}
