import { Injectable } from '@nestjs/common'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import { Prisma } from '../generated/prisma/client.js'
import { type EmailToken, type EmailTokenPurpose, hashEmailToken } from './email-token.js'
import { PendingRegistration, type User } from './user.js'
import { fromUserRow } from './users.repository.js'

@Injectable()
export class EmailTokensRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** Stores a token in place of any earlier one for the same purpose. */
  async replace(tx: AccountsTransaction, token: string, details: EmailToken): Promise<void> {
    await tx.emailToken.deleteMany({ where: { userId: details.userId, purpose: details.purpose } })
    await tx.emailToken.create({ data: { hash: hashEmailToken(token), ...details } })
  }

  /** Adds a verification token for what was typed at its sign-up; the tokens of other sign-ups stay valid. */
  async addPending(tx: AccountsTransaction, token: string, details: EmailToken, registration: PendingRegistration): Promise<void> {
    await tx.emailToken.create({ data: { hash: hashEmailToken(token), ...details, registration } })
  }

  /** What was typed at the sign-up of a token; undefined of a token from before this was stored. */
  async findPending(tx: AccountsTransaction, token: string): Promise<PendingRegistration | undefined> {
    const row = await tx.emailToken.findUnique({ where: { hash: hashEmailToken(token) }, select: { registration: true } })
    return row?.registration ? PendingRegistration.parse(row.registration) : undefined
  }

  /** One of the sign-ups of a user has taken effect. */
  async forgetPending(tx: AccountsTransaction, userId: string): Promise<void> {
    await tx.emailToken.updateMany({ where: { userId }, data: { registration: Prisma.DbNull } })
  }

  /** The user that a token was mailed to, unless it has expired. */
  async findOwner(token: string, purpose: EmailTokenPurpose, now: Date): Promise<User | undefined> {
    const where = { hash: hashEmailToken(token), purpose, expiresAt: { gt: now } }
    const row = await this.database.emailToken.findUnique({ where, include: { user: true } })
    return row ? fromUserRow(row.user) : undefined
  }
}
