import { Inject, Injectable } from '@nestjs/common'
import type { MailboxMail } from '@trestle/contracts/accounts/mailbox'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { type DeliverableMail, MailTransport } from './mail-transport.js'
import { MailboxRepository } from './mailbox.repository.js'

/** Stores mails where a developer can read them, instead of sending them. */
@Injectable()
export class MailboxService extends MailTransport {
  constructor(
    private readonly mailbox: MailboxRepository,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {
    super()
  }

  deliver(mail: DeliverableMail): Promise<void> {
    return this.mailbox.insert(mail, this.clock.now())
  }

  async list(query: { to?: string; limit?: number }): Promise<MailboxMail[]> {
    if (this.env.MAIL_TRANSPORT !== 'mailbox')
      throw new Problem('unknown', 'NotFound', 'There is no development mailbox here: MAIL_TRANSPORT is not "mailbox".')
    return this.mailbox.list(query)
  }
}
