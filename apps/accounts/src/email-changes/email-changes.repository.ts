import { Injectable } from '@nestjs/common'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { Email } from '../users/email.js'
import { type ConfirmedEmailChange, hashEmailChangeToken, type RequestedEmailChange, undoableUntil } from './email-change.js'

@Injectable()
export class EmailChangesRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** In place of any other request of the user; what was confirmed can still be undone. */
  async replaceRequest(tx: AccountsTransaction, change: RequestedEmailChange, token: string): Promise<void> {
    await tx.emailChange.deleteMany({ where: { userId: change.userId, confirmedAt: null } })
    await tx.emailChange.create({ data: { ...change, tokenHash: hashEmailChangeToken(token) } })
  }

  async findRequested(token: string, now: Date): Promise<RequestedEmailChange | undefined> {
    const where = { tokenHash: hashEmailChangeToken(token), confirmedAt: null, expiresAt: { gt: now } }
    return (await this.database.emailChange.findUnique({ where })) ?? undefined
  }

  async findConfirmed(token: string, now: Date): Promise<ConfirmedEmailChange | undefined> {
    const where = { tokenHash: hashEmailChangeToken(token), confirmedAt: { not: null }, expiresAt: { gt: now } }
    const row = await this.database.emailChange.findUnique({ where })
    if (!row?.confirmedAt || row.formerEmail === null || row.formerEmailCanonical === null) return undefined
    const former = { address: row.formerEmail, canonical: row.formerEmailCanonical }
    return { id: row.id, userId: row.userId, former, confirmedAt: row.confirmedAt }
  }

  /** Returns whether it was still to be confirmed. From now on another token undoes it. */
  async confirm(
    tx: AccountsTransaction,
    id: string,
    { former, undoToken }: { former: Email; undoToken: string },
    now: Date,
  ): Promise<boolean> {
    const { count } = await tx.emailChange.updateMany({
      where: { id, confirmedAt: null },
      data: {
        confirmedAt: now,
        expiresAt: undoableUntil(now),
        tokenHash: hashEmailChangeToken(undoToken),
        formerEmail: former.address,
        formerEmailCanonical: former.canonical,
      },
    })
    return count === 1
  }

  /** Ends a change, those after it and all requests; returns whether it could still be undone. */
  async endSince(tx: AccountsTransaction, { id, userId, confirmedAt }: ConfirmedEmailChange): Promise<boolean> {
    const { count } = await tx.emailChange.deleteMany({ where: { id } })
    await tx.emailChange.deleteMany({ where: { userId, OR: [{ confirmedAt: null }, { confirmedAt: { gte: confirmedAt } }] } })
    return count === 1
  }
}
