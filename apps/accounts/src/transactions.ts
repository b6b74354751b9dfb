import { Global, Injectable, Module } from '@nestjs/common'
import { Outbox } from '@trestle/messaging/outbox'
import { Clock } from '@trestle/runtime/clock'
import { Database, type Transaction } from './database.module.js'
import { MailModule } from './mail/mail.module.js'
import { MailSender } from './mail/mail-sender.service.js'

/** Runs a use case in one transaction and at one time; the facts and mails it leaves behind go out as soon as it is committed. */
@Injectable()
export class Transactions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly mails: MailSender,
  ) {}

  async run<T>(work: (tx: Transaction, now: Date) => Promise<T>): Promise<T> {
    const now = this.clock.now()
    const result = await this.database.$transaction((tx) => work(tx, now))
    this.outbox.wake()
    this.mails.wake()
    return result
  }
}

@Global()
@Module({ imports: [MailModule], providers: [Transactions], exports: [Transactions] })
export class TransactionsModule {}
