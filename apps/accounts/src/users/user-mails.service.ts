import { randomBytes, randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { MailsService } from '../mail/mails.service.js'
import { ENV } from '../settings.module.js'
import { newEmailToken } from './email-token.js'
import { EmailTokensRepository } from './email-tokens.repository.js'
import { pendingRegistration, type User } from './user.js'
import { accountExistsMail, passwordChangedMail, passwordResetMail, verificationMail } from './user-mails.js'

/** Sends the mails about a user's account, with the tokens in them. */
@Injectable()
export class UserMailsService {
  private readonly publicUrl: string

  constructor(
    private readonly tokens: EmailTokensRepository,
    private readonly mails: MailsService,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.publicUrl = env.PUBLIC_URL
  }

  /** `user` is as typed at this sign-up, `repeatedAt` the time of one that is not the first. */
  async sendVerification(tx: AccountsTransaction, user: User, now: Date, repeatedAt?: Date): Promise<void> {
    const token = randomUUID()
    await this.tokens.addPending(tx, token, newEmailToken('verification', user.id, now), pendingRegistration(user))
    await this.mails.send(tx, verificationMail(user, token, this.publicUrl, repeatedAt))
  }

  async sendPasswordReset(tx: AccountsTransaction, user: User, now: Date): Promise<void> {
    const token = randomBytes(32).toString('base64url')
    await this.tokens.replace(tx, token, newEmailToken('password-reset', user.id, now))
    await this.mails.send(tx, passwordResetMail(user, token, this.publicUrl))
  }

  async sendAccountExists(tx: AccountsTransaction, user: User): Promise<void> {
    await this.mails.send(tx, accountExistsMail(user, this.publicUrl))
  }

  async sendPasswordChanged(tx: AccountsTransaction, user: User): Promise<void> {
    await this.mails.send(tx, passwordChangedMail(user, this.publicUrl))
  }
}
