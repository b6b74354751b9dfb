import { Inject, Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { MailsService } from '../mail/mails.service.js'
import { ENV } from '../settings.module.js'
import { invitationMail } from './invitation.js'

@Injectable()
export class InvitationMailsService {
  constructor(
    private readonly mails: MailsService,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Sent once the transaction is committed. Only the mail has the token. */
  send(tx: AccountsTransaction, { to, organization, token }: { to: string; organization: string; token: string }): Promise<void> {
    return this.mails.send(tx, invitationMail({ to, organization, token, publicUrl: this.env.PUBLIC_URL }))
  }
}
