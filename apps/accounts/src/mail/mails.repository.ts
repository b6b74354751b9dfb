import { Injectable } from '@nestjs/common'
import { selectList } from '@trestle/database/columns'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import { type Mail as MailRow, Prisma } from '../generated/prisma/client.js'
import { type DeliveryOutcome, LEASE_MS, type MailRecord, MailState } from './mail.js'

const LEASED_FIELDS = ['id', 'recipient', 'subject', 'textSealed', 'attempts', 'createdAt', 'leasedUntil'] as const

/** A mail that no other replica sends until the lease expires. */
export type LeasedMail = Pick<MailRow, (typeof LEASED_FIELDS)[number]> & { readonly textSealed: Uint8Array; readonly leasedUntil: Date }

@Injectable()
export class MailsRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** Nothing where the id is taken: the mail was queued before. */
  async insert(
    tx: AccountsTransaction,
    mail: Pick<MailRecord, 'id' | 'recipient' | 'subject' | 'createdAt'>,
    textSealed: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    await tx.mail.createMany({ data: { ...mail, textSealed, nextAttemptAt: mail.createdAt }, skipDuplicates: true })
  }

  /** Leases some mails that are due; no two replicas lease the same one. */
  lease(limit: number, now: Date): Promise<LeasedMail[]> {
    const leasedUntil = new Date(now.getTime() + LEASE_MS)
    return this.database.$queryRaw<LeasedMail[]>`
      UPDATE mail SET leased_until = ${leasedUntil}, attempts = attempts + 1
       WHERE id IN (SELECT id FROM mail
                     WHERE state = 'queued' AND next_attempt_at <= ${now} AND (leased_until IS NULL OR leased_until <= ${now})
                     ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING ${Prisma.raw(selectList(LEASED_FIELDS))}`
  }

  /** Writes the outcome of a leased mail, unless another replica has leased it since. The text of a sent mail is erased: it may hold a token. */
  async updateOutcome({ id, leasedUntil }: LeasedMail, outcome: DeliveryOutcome, now: Date): Promise<void> {
    const erased = outcome.state === 'sent' ? { textSealed: null, sentAt: now, lastError: null } : {}
    await this.database.mail.updateMany({ where: { id, leasedUntil }, data: { ...outcome, ...erased, leasedUntil: null } })
  }

  async list(state: MailRecord['state'] | undefined, limit: number): Promise<MailRecord[]> {
    const rows = await this.database.mail.findMany({ where: { state }, orderBy: { createdAt: 'desc' }, take: limit })
    return rows.map(fromRow)
  }

  /** The mail, and whether its text is still stored. */
  async find(id: string): Promise<{ mail: MailRecord; hasText: boolean } | undefined> {
    const row = await this.database.mail.findUnique({ where: { id } })
    return row ? { mail: fromRow(row), hasText: row.textSealed !== null } : undefined
  }

  async requeue(id: string, nextAttemptAt: Date): Promise<void> {
    await this.database.mail.updateMany({ where: { id, textSealed: { not: null } }, data: { state: 'queued', attempts: 0, nextAttemptAt } })
  }
}

function fromRow({ id, recipient, subject, state, attempts, lastError, createdAt }: MailRow): MailRecord {
  return { id, recipient, subject, state: MailState.parse(state), attempts, lastError: lastError ?? undefined, createdAt }
}
