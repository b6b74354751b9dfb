import { Injectable } from '@nestjs/common'
import { Outbox } from '@trestle/messaging/outbox'
import { Clock } from '@trestle/runtime/clock'
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
}
