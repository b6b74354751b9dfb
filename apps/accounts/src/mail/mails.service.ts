import { randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { Mail as DescribedMail } from '@trestle/contracts/accounts/administration'
import { Clock } from '@trestle/runtime/clock'
import { seal } from '@trestle/runtime/sealing'
import type { Transaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { describeMail, type Mail, mailErased, type OutgoingMail, unknownMail } from './mail.js'
import { MailSender } from './mail-sender.service.js'
import { MailsRepository } from './mails.repository.js'

@Injectable()
export class MailsService {
  constructor(
    private readonly mails: MailsRepository,
    private readonly sender: MailSender,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Has a mail sent if, and only if, the transaction is committed. */
  async send(tx: Transaction, { to, subject, text }: OutgoingMail): Promise<void> {
    const sealed = seal(Buffer.from(this.env.KEY_ENCRYPTION_KEY, 'base64'), text)
    await this.mails.add(tx, { id: `mail-${randomUUID()}`, recipient: to, subject, createdAt: this.clock.now() }, new Uint8Array(sealed))
  }

  async list(state: Mail['state'] | undefined, limit: number): Promise<DescribedMail[]> {
    return (await this.mails.list(state, limit)).map(describeMail)
  }

  /** Has a mail tried again now. */
  async resend(id: string): Promise<DescribedMail> {
    const found = await this.mails.find(id)
    if (!found) throw unknownMail()
    if (!found.hasText) throw mailErased()
    await this.mails.requeue(id, this.clock.now())
    this.sender.wake()
    return describeMail({ ...found.mail, state: 'queued', attempts: 0 })
  }
}
