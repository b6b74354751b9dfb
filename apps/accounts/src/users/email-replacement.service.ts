import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import { PasswordsService } from '../passwords/passwords.service.js'
import { SessionsService } from '../sessions/sessions.service.js'
import type { Email } from './email.js'
import { UserMailsService } from './user-mails.service.js'
import { UsersRepository } from './users.repository.js'

/** Replaces the address that somebody signs in with by one whose mails this person has read. */
@Injectable()
export class EmailReplacementService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionsService,
    private readonly mails: UserMailsService,
  ) {}

  /** Ends all sessions. `outdated` where the user was signed out everywhere, or disabled, since the epoch. */
  async replace(
    tx: AccountsTransaction,
    user: { id: string; epoch: number },
    email: Email,
    now: Date,
  ): Promise<'changed' | 'outdated' | 'in-use'> {
    await this.users.deleteUnverified(tx, email.canonical)
    const outcome = await this.users.updateEmail(tx, user, email, now)
    if (outcome === 'changed') await this.sessions.endAllOf(tx, user.id, now)
    return outcome
  }

  /** Of a password that nobody knows. */
  unknownPasswordHash(network: string): Promise<string> {
    return this.passwords.rehash(randomBytes(32).toString('base64'), network)
  }

  /** Takes an account from whoever changed its address. False where the former address has an account by now. */
  async restore(
    tx: AccountsTransaction,
    id: string,
    { former, passwordHash, changedAt }: { former: Email; passwordHash: string; changedAt: Date },
    now: Date,
  ): Promise<boolean> {
    await this.users.deleteUnverified(tx, former.canonical)
    const outcome = await this.users.updateEmail(tx, { id }, former, now)
    if (outcome !== 'changed') return false
    await this.users.overwritePassword(tx, id, passwordHash)
    await this.users.deleteClientKeys(tx, id, now)
    await this.users.unlinkIdentitiesSince(tx, id, changedAt)
    await this.sessions.endAllOf(tx, id, now)
    const user = await this.users.find({ id }, tx)
    if (user) await this.mails.sendPasswordReset(tx, user, now)
    return true
  }
}
