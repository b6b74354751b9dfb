import { Injectable } from '@nestjs/common'
import type { MailboxMail } from '@trestle/contracts/accounts/mailbox'
import { Database } from '../database.module.js'
import type { DeliverableMail } from './mail-transport.js'

const KEPT = 200

@Injectable()
export class MailboxRepository {
  constructor(private readonly database: Database) {}

  /** Adds a mail, once, and forgets the oldest. */
  async add({ id, recipient, subject, text }: DeliverableMail, createdAt: Date): Promise<void> {
    await this.database.mailboxMail.createMany({ data: { id, recipient, subject, text, createdAt }, skipDuplicates: true })
    await this.database.$executeRaw`DELETE FROM mailbox WHERE id IN (SELECT id FROM mailbox ORDER BY created_at DESC, id OFFSET ${KEPT})`
  }

  async list({ to, limit = KEPT }: { to?: string; limit?: number }): Promise<MailboxMail[]> {
    const where = to === undefined ? {} : { recipient: { equals: to, mode: 'insensitive' as const } }
    const rows = await this.database.mailboxMail.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }], take: limit })
    return rows.map(({ id, recipient, subject, text, createdAt }) => ({
      id,
      to: recipient,
      subject,
      text,
      createdAt: createdAt.toISOString(),
    }))
  }
}
