import { Injectable } from '@nestjs/common'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { SessionRecord } from './session.js'

const MAX_LISTED = 200

@Injectable()
export class SessionsRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** The open sessions of a user, newest first. */
  list(userId: string, now: Date): Promise<SessionRecord[]> {
    const where = { userId, endedAt: null, expiresAt: { gt: now } }
    return this.database.session.findMany({ where, orderBy: { createdAt: 'desc' }, take: MAX_LISTED })
  }

  async insert(tx: AccountsTransaction, session: SessionRecord): Promise<void> {
    await tx.session.create({ data: session })
  }

  /** Ends one session; returns whether the user had it open. */
  async end(tx: AccountsTransaction, { id, userId }: Pick<SessionRecord, 'id' | 'userId'>, endedAt: Date): Promise<boolean> {
    const { count } = await tx.session.updateMany({ where: { id, userId, endedAt: null, expiresAt: { gt: endedAt } }, data: { endedAt } })
    return count === 1
  }

  /** Ends every session of a user; returns the user's new epoch, which invalidates their tokens. */
  async endAll(tx: AccountsTransaction, userId: string, endedAt: Date): Promise<number> {
    const { epoch } = await tx.user.update({ where: { id: userId }, data: { epoch: { increment: 1 } }, select: { epoch: true } })
    await tx.session.updateMany({ where: { userId, endedAt: null }, data: { endedAt } })
    return epoch
  }
}
