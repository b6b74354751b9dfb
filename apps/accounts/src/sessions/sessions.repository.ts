import { Injectable } from '@nestjs/common'
import { Database, type Transaction } from '../database.module.js'
import type { Session } from './session.js'

const LISTED = 200

@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /** The open sessions of a user, the newest first. */
  list(userId: string, now: Date): Promise<Session[]> {
    const where = { userId, endedAt: null, expiresAt: { gt: now } }
    return this.database.session.findMany({ where, orderBy: { createdAt: 'desc' }, take: LISTED })
  }

  async add(tx: Transaction, session: Session): Promise<void> {
    await tx.session.create({ data: session })
  }

  /** Ends one session; answers whether the user had it open. */
  async end(tx: Transaction, { id, userId }: Pick<Session, 'id' | 'userId'>, endedAt: Date): Promise<boolean> {
    const { count } = await tx.session.updateMany({ where: { id, userId, endedAt: null, expiresAt: { gt: endedAt } }, data: { endedAt } })
    return count === 1
  }

  /** Ends every session of a user; answers the user's new epoch, under which the tokens of all of them are dead. */
  async endEvery(tx: Transaction, userId: string, endedAt: Date): Promise<number> {
    const { epoch } = await tx.user.update({ where: { id: userId }, data: { epoch: { increment: 1 } }, select: { epoch: true } })
    await tx.session.updateMany({ where: { userId, endedAt: null }, data: { endedAt } })
    return epoch
  }
}
