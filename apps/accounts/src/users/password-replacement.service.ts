import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.module.js'
import { SessionsService } from '../sessions/sessions.service.js'
import type { Origin } from '../throttling/origin.decorator.js'
import { Transactions } from '../transactions.js'
import { invalidToken } from './email-token.js'
import { type User, wrongPassword } from './user.js'
import { UserMails } from './user-mails.service.js'
import { UsersRepository } from './users.repository.js'

/** Puts a new password in the place of the one that was checked, ends what the old one had opened, and tells the user. */
@Injectable()
export class PasswordReplacement {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly mails: UserMails,
  ) {}

  /** For somebody who is signed in, and stays so in a new session. */
  change(user: User, passwordHash: string, origin: Origin): Promise<{ epoch: number; sessionId: string; updatedAt: Date }> {
    return this.transactions.run(async (tx, now) => {
      const epoch = await this.replace(tx, user, passwordHash, now)
      // Another request has changed it since: this one's old password is not the right one any more.
      if (epoch === undefined) throw wrongPassword()
      return { epoch, sessionId: await this.sessions.open(tx, user.id, origin, now), updatedAt: now }
    })
  }

  /** For somebody who has read the mail. */
  reset(user: User, passwordHash: string): Promise<{ updatedAt: Date }> {
    return this.transactions.run(async (tx, now) => {
      if ((await this.replace(tx, user, passwordHash, now)) === undefined) throw invalidToken()
      return { updatedAt: now }
    })
  }

  private async replace(tx: Transaction, user: User, passwordHash: string, now: Date): Promise<number | undefined> {
    if (!(await this.users.replacePassword(tx, user, passwordHash, now))) return undefined
    await this.mails.sendPasswordChanged(tx, user)
    return this.sessions.endEvery(tx, user.id, now)
  }
}
