import { Injectable } from '@nestjs/common'
import { Database, type Transaction } from '../database.module.js'
import type { Mail as Row } from '../generated/prisma/client.js'
import { LEASE_MS, type Mail, type Outcome } from './mail.js'

/** A mail that nobody else sends until the lease runs out. */
export interface LeasedMail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly textSealed: Uint8Array
  readonly attempts: number
  readonly createdAt: Date
  readonly leasedUntil: Date
}

@Injectable()
export class MailsRepository {
  constructor(private readonly database: Database) {}

  async add(
    tx: Transaction,
    mail: Pick<Mail, 'id' | 'recipient' | 'subject' | 'createdAt'>,
    textSealed: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    await tx.mail.create({ data: { ...mail, textSealed, nextAttemptAt: mail.createdAt } })
  }

  /** Takes some mails that are due; replicas never take the same ones. */
  lease(limit: number, now: Date): Promise<LeasedMail[]> {
    const leasedUntil = new Date(now.getTime() + LEASE_MS)
    return this.database.$queryRaw<LeasedMail[]>`
      UPDATE mail SET leased_until = ${leasedUntil}, attempts = attempts + 1
       WHERE id IN (SELECT id FROM mail
                     WHERE state = 'queued' AND next_attempt_at <= ${now} AND (leased_until IS NULL OR leased_until <= ${now})
                     ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING id, recipient, subject, text_sealed AS "textSealed", attempts, created_at AS "createdAt", leased_until AS "leasedUntil"`
  }

  /** Notes what became of a leased mail, unless somebody else has leased it since. The text of a sent one is erased: it may hold a token. */
  async settle({ id, leasedUntil }: LeasedMail, outcome: Outcome, now: Date): Promise<void> {
    const erased = outcome.state === 'sent' ? { textSealed: null, sentAt: now, lastError: null } : {}
    await this.database.mail.updateMany({ where: { id, leasedUntil }, data: { ...outcome, ...erased, leasedUntil: null } })
  }

  async list(state: Mail['state'] | undefined, limit: number): Promise<Mail[]> {
    const rows = await this.database.mail.findMany({ where: { state }, orderBy: { createdAt: 'desc' }, take: limit })
    return rows.map(toMail)
  }

  /** The mail, and whether its text is still there. */
  async find(id: string): Promise<{ mail: Mail; hasText: boolean } | undefined> {
    const row = await this.database.mail.findUnique({ where: { id } })
    return row ? { mail: toMail(row), hasText: row.textSealed !== null } : undefined
  }

  async requeue(id: string, nextAttemptAt: Date): Promise<void> {
    await this.database.mail.updateMany({ where: { id, textSealed: { not: null } }, data: { state: 'queued', attempts: 0, nextAttemptAt } })
  }
}

function toMail({ id, recipient, subject, state, attempts, lastError, createdAt }: Row): Mail {
  return { id, recipient, subject, state: state as Mail['state'], attempts, lastError: lastError ?? undefined, createdAt }
}
