import { Inject, Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { MailsService } from '../mail/mails.service.js'
import { ENV } from '../settings.module.js'
import type { User } from '../users/user.js'
import type { DeletionRecord } from './account-deletion.js'
import { accountClosedMail, deletionRequestedMail } from './deletion-mails.js'

@Injectable()
export class DeletionMailsService {
  constructor(
    private readonly mails: MailsService,
    @Inject(ENV) private readonly env: Pick<AccountsEnv, 'PUBLIC_URL'>,
  ) {}

  sendRequested(tx: AccountsTransaction, { email }: User, { dueAt }: DeletionRecord): Promise<void> {
    return this.mails.send(tx, deletionRequestedMail({ to: email, dueAt, publicUrl: this.env.PUBLIC_URL }))
  }

  sendClosed(tx: AccountsTransaction, { email }: User): Promise<void> {
    return this.mails.send(tx, accountClosedMail({ to: email }))
  }
}
