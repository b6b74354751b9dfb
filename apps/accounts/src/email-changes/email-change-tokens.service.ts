import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import { guessingThrottle } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { isNamedBy, parseUserRef, type User } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import { type ConfirmedEmailChange, invalidEmailChangeToken, type RequestedEmailChange } from './email-change.js'
import { EmailChangesRepository } from './email-changes.repository.js'

interface MailedToken {
  /** The user as the request names it: by id, or by its current address. */
  readonly userRef: string
  readonly token: string
  /** From where it comes: guessing is slowed down. */
  readonly network: string
}

/** Finds the change that a mailed token is for, or throws Problem `InvalidToken`. */
@Injectable()
export class EmailChangeTokensService {
  constructor(
    private readonly throttling: ThrottlingService,
    private readonly changes: EmailChangesRepository,
    private readonly users: UsersService,
  ) {}

  requested(given: MailedToken): Promise<{ change: RequestedEmailChange; user: User }> {
    return this.find(given, (now) => this.changes.findRequested(given.token, now))
  }

  confirmed(given: MailedToken): Promise<{ change: ConfirmedEmailChange; user: User }> {
    return this.find(given, (now) => this.changes.findConfirmed(given.token, now))
  }

  /** With the tokens of all later changes. Problem `InvalidToken` where somebody else was faster. */
  async useUp(tx: AccountsTransaction, change: ConfirmedEmailChange): Promise<void> {
    if (!(await this.changes.endSince(tx, change))) throw invalidEmailChangeToken()
  }

  private async find<C extends { readonly userId: string }>(
    { userRef, network }: MailedToken,
    read: (now: Date) => Promise<C | undefined>,
  ): Promise<{ change: C; user: User }> {
    const ref = parseUserRef(userRef)
    const found = await this.throttling.attempt([guessingThrottle(network)], async (now) => {
      const change = await read(now)
      const user = change && (await this.users.find(change.userId))
      return user && ref && isNamedBy(user, ref) ? { change, user } : undefined
    })
    if (!found) throw invalidEmailChangeToken()
    return found
  }
}
