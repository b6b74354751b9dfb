import { Injectable } from '@nestjs/common'
import { userDisabled } from '@trestle/contracts/accounts/messages'
import { Outbox } from '@trestle/messaging/outbox'
import type { AccountsTransaction } from '../database.module.js'
import { SessionsService } from '../sessions/sessions.service.js'
import type { User } from './user.js'
import { UsersRepository } from './users.repository.js'

/** Ends what a user can do, and then the user. */
@Injectable()
export class UserClosingService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly outbox: Outbox,
  ) {}

  lock(tx: AccountsTransaction, id: string): Promise<User | undefined> {
    return this.users.lock(tx, id)
  }

  /** Nobody signs in any more, tokens and keys end, and the other areas stop what works without a token. */
  async close(tx: AccountsTransaction, { id: userId }: User, now: Date): Promise<void> {
    await this.users.updateDisabled(tx, userId, now)
    await this.users.deleteClientKeys(tx, userId, now)
    await this.sessions.endAllOf(tx, userId, now)
    await this.outbox.add(tx, userDisabled, { userId, disabledAt: now.toISOString() })
  }

  delete(tx: AccountsTransaction, { id }: User): Promise<void> {
    return this.users.delete(tx, id)
  }
}
