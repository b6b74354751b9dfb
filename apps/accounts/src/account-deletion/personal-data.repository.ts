import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { AccountsTransaction } from '../database.module.js'
import type { User } from '../users/user.js'

const BATCH = 5_000

/** Knows where personal data is that does not go with the user's row. The security log stays until it expires: it names no address. */
@Injectable()
export class PersonalDataRepository {
  constructor(private readonly pool: Pool) {}

  /**
   * In batches, apart from any transaction: there may be very many. What was done in an organization that others are in stays with it, under an
   * id that names nobody any more: who has done harm there could otherwise erase the traces.
   */
  async deleteActivity(userId: string): Promise<void> {
    const others = 'EXISTS (SELECT FROM organization WHERE organization.id = event.organization_id)'
    await this.inBatches((batch) => `DELETE FROM event WHERE (id, created_at) IN (${batch(`NOT ${others}`)})`, userId)
    const traced = `service_data -> 'actor' ?| ARRAY['session', 'address']`
    const untraced = `jsonb_set(service_data, '{actor}', (service_data -> 'actor') - 'session' - 'address')`
    await this.inBatches((batch) => `UPDATE event SET service_data = ${untraced} WHERE (id, created_at) IN (${batch(traced)})`, userId)
  }

  private async inBatches(statement: (batch: (condition: string) => string) => string, userId: string): Promise<void> {
    const text = statement((condition) => `SELECT id, created_at FROM event WHERE user_id = $1 AND ${condition} LIMIT ${BATCH}`)
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
