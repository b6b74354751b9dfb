import { Injectable } from '@nestjs/common'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import type { Email } from '../users/email.js'
import type { User } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import { EmailChangeMailsService } from './email-change-mails.service.js'

/** Mails the token to the new address, or its owner why not; whoever asked sees no difference. */
@Injectable()
export class EmailChangeDispatchService {
  constructor(
    private readonly users: UsersService,
    private readonly throttling: ThrottlingService,
    private readonly mails: EmailChangeMailsService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  async send(user: User, email: Email): Promise<void> {
    const holder = await this.users.find(email.canonical)
    await (holder?.verifiedAt && holder.id !== user.id ? this.notifyHolder(holder) : this.sendToken(user, email))
  }

  private async sendToken(user: User, email: Email): Promise<void> {
    const to = email.canonical
    if (await this.throttling.trySpend({ verificationMailsToAddress: to, mailsToAddress: to }))
      await this.unitOfWork.run((tx, now) => this.mails.sendConfirmation(tx, user, email, now))
  }

  private async notifyHolder({ email, emailCanonical: to, disabledAt }: User): Promise<void> {
    if (!disabledAt && (await this.throttling.trySpend({ accountExistsMailsToAddress: to, mailsToAddress: to })))
      await this.unitOfWork.run((tx) => this.mails.sendInUse(tx, email))
  }
}
