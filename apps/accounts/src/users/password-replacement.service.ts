import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
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

  /** For a signed-in user, who stays signed in with another session like the present one. */
  change(
    user: User,
    passwordHash: string,
    { caller, origin }: { caller: Caller; origin: RequestOrigin },
  ): Promise<{ epoch: number; sessionId: string; updatedAt: Date }> {
    return this.unitOfWork.run(async (tx, now) => {
      // Another request has changed it since: the old password of this one is wrong now.
      if (!(await this.replace(tx, user, passwordHash, now))) throw wrongPassword()
      return { ...(await this.sessions.restart(tx, caller, origin, now)), updatedAt: now }
    })
  }

  /** For a user who has read the mail. An intruder who had the account may have made keys. */
  reset(user: User, passwordHash: string, endsClientKeys: boolean): Promise<{ updatedAt: Date }> {
    return this.unitOfWork.run(async (tx, now) => {
      if (!(await this.replace(tx, user, passwordHash, now))) throw invalidEmailToken()
      await this.sessions.endAllOf(tx, user.id, now)
      if (endsClientKeys) await this.users.deleteClientKeys(tx, user.id, now)
      return { updatedAt: now }
    })
  }

  private async replace(tx: AccountsTransaction, user: User, passwordHash: string, now: Date): Promise<boolean> {
    const isReplaced = await this.users.updatePassword(tx, user, passwordHash, now)
    if (isReplaced) await this.mails.sendPasswordChanged(tx, user)
    return isReplaced
  }
}
