import { Injectable } from '@nestjs/common'
import { securityEventsRecorded } from '@trestle/contracts/security-event'
import { Outbox } from '@trestle/messaging/outbox'
import { Clock } from '@trestle/runtime/clock'
import { successOfRequest } from '@trestle/runtime/security-trail'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import { MailSender } from '../mail/mail-sender.engine.js'

/** Runs a use case in one transaction and at one time; its domain events and mails are sent as soon as it is committed. */
@Injectable()
export class UnitOfWorkService {
  constructor(
    private readonly database: AccountsDatabase,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly mails: MailSender,
  ) {}

  async run<T>(work: (tx: AccountsTransaction, now: Date) => Promise<T>): Promise<T> {
    const now = this.clock.now()
    const result = await this.database.$transaction((tx) => work(tx, now))
    this.outbox.wake()
    this.mails.wake()
    return result
  }

  /** The same, of what changes rights: the entry of the security log is stored if, and only if, the change is. */
  async runAudited<T>(work: (tx: AccountsTransaction, now: Date) => Promise<T>): Promise<T> {
    const success = successOfRequest()
    if (!success) return this.run(work)
    const result = await this.run(async (tx, now) => {
      const changed = await work(tx, now)
      await this.outbox.add(tx, securityEventsRecorded, { events: [success.event] })
      return changed
    })
    success.stored()
    return result
  }
}
