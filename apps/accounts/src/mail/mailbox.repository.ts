import { Injectable } from '@nestjs/common'
import type { MailboxMail } from '@trestle/contracts/accounts/mailbox'
import { AccountsDatabase } from '../database.module.js'
import type { MailboxMail as MailboxRow } from '../generated/prisma/client.js'
import type { DeliverableMail } from './mail-transport.js'

const MAX_MAILS = 200

@Injectable()
export class MailboxRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** Stores a mail, once, and deletes the oldest. */
  async insert({ id, recipient, subject, text }: DeliverableMail, createdAt: Date): Promise<void> {
    await this.database.mailboxMail.createMany({ data: { id, recipient, subject, text, createdAt }, skipDuplicates: true })
    await this.database
      .$executeRaw`DELETE FROM mailbox WHERE id IN (SELECT id FROM mailbox ORDER BY created_at DESC, id OFFSET ${MAX_MAILS})`
  }

  async list({ to, limit = MAX_MAILS }: { to?: string; limit?: number }): Promise<MailboxMail[]> {
    const where = to === undefined ? {} : { recipient: { equals: to, mode: 'insensitive' as const } }
    const rows = await this.database.mailboxMail.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }], take: limit })
    return rows.map(fromRow)
  }
}

function fromRow({ recipient, createdAt, ...row }: MailboxRow): MailboxMail {
  return { ...row, to: recipient, createdAt: createdAt.toISOString() }
}
