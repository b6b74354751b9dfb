import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { AccountsTransaction } from '../database.module.js'
import type { User } from '../users/user.js'

const BATCH = 5_000

/** Knows where personal data is that does not go with the user's row. The security log stays until it expires: it names no address. */
@Injectable()
export class PersonalDataRepository {
  constructor(private readonly pool: Pool) {}

  /** In batches, apart from any transaction: there may be very many. */
  async deleteActivity(userId: string): Promise<void> {
    const text = `
      DELETE FROM event WHERE (id, created_at) IN (SELECT id, created_at FROM event WHERE user_id = $1 LIMIT ${BATCH})`
    while ((await this.pool.query(text, [userId])).rowCount === BATCH);
  }

  /** Mails that are not sent yet, too. */
  async deleteMailsAndInvitations(tx: AccountsTransaction, { email, emailCanonical }: User): Promise<void> {
    const recipient = { in: [email, emailCanonical] }
    await tx.mail.deleteMany({ where: { recipient } })
    await tx.mailboxMail.deleteMany({ where: { recipient } })
    await tx.invitation.deleteMany({ where: { emailCanonical } })
  }

  /** Whether somebody may still undo a change of the address that is not the owner's. */
  async hasUndoableEmailChange(tx: AccountsTransaction, userId: string, now: Date): Promise<boolean> {
    return (await tx.emailChange.count({ where: { userId, confirmedAt: { not: null }, expiresAt: { gt: now } } })) > 0
  }
}
