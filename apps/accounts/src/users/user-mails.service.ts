import { randomBytes, randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { MailsService } from '../mail/mails.service.js'
import { ENV } from '../settings.module.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { newEmailToken } from './email-token.js'
import { EmailTokensRepository } from './email-tokens.repository.js'
import { type LinkedIdentity, pendingRegistration, type SignUp, type User } from './user.js'
import { accountExistsMail, identityLinkedMail, passwordChangedMail, passwordResetMail, verificationMail } from './user-mails.js'

/** Sends the mails about a user's account, with the tokens in them. */
@Injectable()
export class UserMailsService {
  private readonly publicUrl: string

  constructor(
    private readonly tokens: EmailTokensRepository,
    private readonly mails: MailsService,
    private readonly unitOfWork: UnitOfWorkService,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.publicUrl = env.PUBLIC_URL
  }

  /** The user is as typed at this sign-up, `repeatedAt` the time of one that is not the first. */
  async sendVerification(tx: AccountsTransaction, signUp: SignUp, now: Date, repeatedAt?: Date): Promise<void> {
    const token = randomUUID()
    await this.tokens.addPending(tx, token, newEmailToken('verification', signUp.user.id, now), pendingRegistration(signUp))
    await this.mails.send(tx, verificationMail(signUp.user, token, this.publicUrl, repeatedAt))
  }

  sendRequestedReset(user: User): Promise<void> {
    return this.unitOfWork.run((tx, now) => this.sendPasswordReset(tx, user, now))
  }

  async sendPasswordReset(tx: AccountsTransaction, user: User, now: Date): Promise<void> {
    const token = randomBytes(32).toString('base64url')
    await this.tokens.replace(tx, token, newEmailToken('password-reset', user.id, now))
    await this.mails.send(tx, passwordResetMail(user, token, this.publicUrl))
  }

  async sendAccountExists(tx: AccountsTransaction, user: User): Promise<void> {
    await this.mails.send(tx, accountExistsMail(user, this.publicUrl))
  }

  async sendIdentityLinked(tx: AccountsTransaction, user: User, { provider }: LinkedIdentity): Promise<void> {
    await this.mails.send(tx, identityLinkedMail(user, provider, this.publicUrl))
  }

  async sendPasswordChanged(tx: AccountsTransaction, user: User): Promise<void> {
    await this.mails.send(tx, passwordChangedMail(user, this.publicUrl))
  }
}
