import { Inject, Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { MailsService } from '../mail/mails.service.js'
import { ENV } from '../settings.module.js'
import { type Notice, noticeMail } from './notice.js'

/** Mails users about what changes who can act for them: one mail per cause. */
@Injectable()
export class NoticesService {
  constructor(
    private readonly mails: MailsService,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Sent if and only if the transaction commits. */
  async send(tx: AccountsTransaction, userId: string, notice: Notice): Promise<void> {
    const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } })
    if (user?.email) await this.mails.send(tx, noticeMail(user.email, notice, this.env.PUBLIC_URL))
  }
}
