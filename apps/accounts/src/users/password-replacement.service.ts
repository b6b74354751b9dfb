import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import { SessionsService } from '../sessions/sessions.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { invalidEmailToken } from './email-token.js'
import { type User, wrongPassword } from './user.js'
import { UserMailsService } from './user-mails.service.js'
import { UsersRepository } from './users.repository.js'

/** Replaces the password that was checked, ends the sessions that the old one opened, and notifies the user. */
@Injectable()
export class PasswordReplacementService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly mails: UserMailsService,
  ) {}

  /** For a signed-in user, who stays signed in with a new session. */
  change(user: User, passwordHash: string, origin: RequestOrigin): Promise<{ epoch: number; sessionId: string; updatedAt: Date }> {
    return this.unitOfWork.run(async (tx, now) => {
      const epoch = await this.replace(tx, user, passwordHash, now)
      // Another request has changed it since: the old password of this one is wrong now.
      if (epoch === undefined) throw wrongPassword()
      return { epoch, sessionId: await this.sessions.open(tx, user.id, origin, now), updatedAt: now }
    })
  }

  /** For a user who has read the mail. An intruder who had the account may have made keys. */
  reset(user: User, passwordHash: string, endsClientKeys: boolean): Promise<{ updatedAt: Date }> {
    return this.unitOfWork.run(async (tx, now) => {
      if ((await this.replace(tx, user, passwordHash, now)) === undefined) throw invalidEmailToken()
      if (endsClientKeys) await this.users.deleteClientKeys(tx, user.id, now)
      return { updatedAt: now }
    })
  }

  private async replace(tx: AccountsTransaction, user: User, passwordHash: string, now: Date): Promise<number | undefined> {
    if (!(await this.users.updatePassword(tx, user, passwordHash, now))) return undefined
    await this.mails.sendPasswordChanged(tx, user)
    return this.sessions.endAllOf(tx, user.id, now)
  }
}
