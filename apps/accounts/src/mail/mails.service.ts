import { hash, randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { Mail as DescribedMail } from '@trestle/contracts/accounts/administration'
import { Clock } from '@trestle/runtime/clock'
import { PlainSealer } from '@trestle/runtime/sealing'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { describeMail, type MailRecord, mailErased, type OutgoingMail, unknownMail } from './mail.js'
import { MailSender } from './mail-sender.engine.js'
import { MailsRepository } from './mails.repository.js'

@Injectable()
export class MailsService {
  private readonly sealer: PlainSealer

  constructor(
    private readonly mails: MailsRepository,
    private readonly sender: MailSender,
    private readonly clock: Clock,
    @Inject(ENV) { KEY_ENCRYPTION_KEY }: AccountsEnv,
  ) {
    this.sealer = new PlainSealer(KEY_ENCRYPTION_KEY)
  }

  /** Queues a mail, which is sent if and only if the transaction commits. */
  async send(tx: AccountsTransaction, { to, subject, text, cause }: OutgoingMail): Promise<void> {
    const sealed = new Uint8Array(this.sealer.seal(text))
    await this.mails.insert(tx, { id: mailId(cause), recipient: to, subject, createdAt: this.clock.now() }, sealed)
  }

  async list(state: MailRecord['state'] | undefined, limit: number): Promise<DescribedMail[]> {
    return (await this.mails.list(state, limit)).map(describeMail)
  }

  /** Tries to deliver a mail again, now. */
  async resend(id: string): Promise<DescribedMail> {
    const found = await this.mails.find(id)
    if (!found) throw unknownMail()
    if (!found.hasText) throw mailErased()
    await this.mails.requeue(id, this.clock.now())
    this.sender.wake()
    return describeMail({ ...found.mail, state: 'queued', attempts: 0 })
  }
}

/** In the form of a UUID, also where it is derived. */
function mailId(cause?: string): string {
  if (cause === undefined) return `mail-${randomUUID()}`
  return `mail-${hash('sha256', cause).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')}`
}
