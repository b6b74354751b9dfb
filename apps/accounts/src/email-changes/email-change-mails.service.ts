import { randomBytes, randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { MailsService } from '../mail/mails.service.js'
import { ENV } from '../settings.module.js'
import type { Email } from '../users/email.js'
import type { User } from '../users/user.js'
import { type RequestedEmailChange, requestedChange } from './email-change.js'
import { addressInUseMail, emailChangedMail, emailConfirmationMail } from './email-change-mails.js'
import { EmailChangesRepository } from './email-changes.repository.js'

/** Sends the mails about a change of address, and stores it with the token in them. */
@Injectable()
export class EmailChangeMailsService {
  private readonly publicUrl: string

  constructor(
    private readonly changes: EmailChangesRepository,
    private readonly mails: MailsService,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.publicUrl = env.PUBLIC_URL
  }

  async sendConfirmation(tx: AccountsTransaction, user: User, to: Email, now: Date): Promise<void> {
    const token = newToken()
    await this.changes.replaceRequest(tx, requestedChange(`email-change-${randomUUID()}`, user, to, now), token)
    await this.mails.send(tx, emailConfirmationMail({ to: to.address, userId: user.id, token, publicUrl: this.publicUrl }))
  }

  /** To the old address. Returns whether the change was still to be confirmed. */
  async sendChanged(tx: AccountsTransaction, { id }: RequestedEmailChange, user: User, now: Date): Promise<boolean> {
    const token = newToken()
    const former = { address: user.email, canonical: user.emailCanonical }
    if (!(await this.changes.confirm(tx, id, { former, undoToken: token }, now))) return false
    await this.mails.send(tx, emailChangedMail({ to: user.email, userId: user.id, token, publicUrl: this.publicUrl }))
    return true
  }

  sendInUse(tx: AccountsTransaction, to: string): Promise<void> {
    return this.mails.send(tx, addressInUseMail({ to, publicUrl: this.publicUrl }))
  }
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}
