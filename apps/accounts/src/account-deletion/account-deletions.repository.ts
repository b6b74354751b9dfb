import { Injectable } from '@nestjs/common'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { AccountDeletion as Row } from '../generated/prisma/client.js'
import type { DeletionRecord } from './account-deletion.js'

@Injectable()
export class AccountDeletionsRepository {
  constructor(private readonly database: AccountsDatabase) {}

  async find(userId: string, tx: AccountsTransaction = this.database): Promise<DeletionRecord | undefined> {
    const row = await tx.accountDeletion.findUnique({ where: { userId } })
    return row ? fromRow(row) : undefined
  }

  /** Returns whether there was none: the first request counts. */
  async insert(tx: AccountsTransaction, { userId, requestedAt, dueAt }: DeletionRecord): Promise<boolean> {
    const { count } = await tx.accountDeletion.createMany({ data: { userId, requestedAt, dueAt }, skipDuplicates: true })
    return count === 1
  }

  /** Returns whether it was still possible. */
  async cancel(tx: AccountsTransaction, userId: string): Promise<boolean> {
    return (await tx.accountDeletion.deleteMany({ where: { userId, closedAt: null } })).count === 1
  }

  /** The oldest that are due and not closed, or closed for long enough and not deleted. */
  async listDue(now: Date, closedBefore: Date, limit: number): Promise<DeletionRecord[]> {
    const rows = await this.database.accountDeletion.findMany({
      where: { deletedAt: null, dueAt: { lte: now }, OR: [{ closedAt: null }, { closedAt: { lte: closedBefore } }] },
      orderBy: { dueAt: 'asc' },
      take: limit,
    })
    return rows.map(fromRow)
  }

  /** Nothing where it is closed. */
  async postpone(userId: string, dueAt: Date): Promise<void> {
    await this.database.accountDeletion.updateMany({ where: { userId, closedAt: null }, data: { dueAt } })
  }

  /** Returns whether it was not cancelled, and no other replica has closed it. */
  async close(tx: AccountsTransaction, userId: string, closedAt: Date): Promise<boolean> {
    return (await tx.accountDeletion.updateMany({ where: { userId, closedAt: null }, data: { closedAt } })).count === 1
  }

  /** Returns whether no other replica has deleted it. */
  async complete(tx: AccountsTransaction, userId: string, deletedAt: Date): Promise<boolean> {
    const where = { userId, closedAt: { not: null }, deletedAt: null }
    return (await tx.accountDeletion.updateMany({ where, data: { deletedAt, announcedAt: deletedAt } })).count === 1
  }

  /** Some that were deleted lately, and not announced since a while; this transaction announces them. */
  async takeUnannounced(
    tx: AccountsTransaction,
    { deletedAfter, announcedBefore, now }: { deletedAfter: Date; announcedBefore: Date; now: Date },
  ): Promise<{ userId: string; deletedAt: Date }[]> {
    return tx.$queryRaw<{ userId: string; deletedAt: Date }[]>`
      UPDATE account_deletion SET announced_at = ${now} WHERE user_id IN (
        SELECT user_id FROM account_deletion WHERE deleted_at > ${deletedAfter} AND announced_at < ${announcedBefore}
         ORDER BY announced_at LIMIT 100 FOR UPDATE SKIP LOCKED)
      RETURNING user_id AS "userId", deleted_at AS "deletedAt"`
  }
}

function fromRow({ userId, requestedAt, dueAt, closedAt }: Row): DeletionRecord {
  return { userId, requestedAt, dueAt, closedAt: closedAt ?? undefined }
}
