import { Injectable } from '@nestjs/common'
import { signInRequired } from '@trestle/auth/auth-problems'
import type { Caller } from '@trestle/contracts/caller'
import { ProviderDirectoryService } from '../identity-providers/provider-directory.service.js'
import { PasswordsService } from '../passwords/passwords.service.js'
import { FRESH_SECONDS } from '../sessions/session.js'
import { SessionsService } from '../sessions/sessions.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { perAccount } from '../throttling/throttle.js'
import { noPassword, passwordHashOf, type User, unknownUser, wrongPassword } from './user.js'
import { UsersRepository } from './users.repository.js'

/** A token may be stolen, a browser left open: what would take the account from its owner asks for the password again. */
@Injectable()
export class PasswordConfirmationService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionsService,
    private readonly directory: ProviderDirectoryService,
  ) {}

  /**
   * The user, or Problem `WrongPassword`. Who has no password proves a second factor, or has just signed in with the provider: Problem
   * `StepUpRequired`.
   */
  async requireOwner(caller: Caller, password: string | undefined, origin: Pick<RequestOrigin, 'network'>): Promise<User> {
    const user = await this.find(caller.userId)
    if (this.hasPassword(user)) return this.check(user, password, origin)
    if (!(await this.sessions.isFresh(caller))) throw signInRequired(FRESH_SECONDS)
    return user
  }

  /** Whether the user has one that opens a session: an identity provider that is required replaces it. */
  hasPassword(user: Pick<User, 'passwordHash' | 'emailCanonical'>): boolean {
    return passwordHashOf(user) !== undefined && this.directory.requiredFor(user.emailCanonical) === undefined
  }

  /** The user, or Problem `WrongPassword` or `NoPassword`. */
  async requirePassword(userId: string, password: string, origin: Pick<RequestOrigin, 'network'>): Promise<User> {
    return this.check(await this.find(userId), password, origin)
  }

  private async find(id: string): Promise<User> {
    const user = await this.users.find({ id })
    if (!user) throw unknownUser()
    return user
  }

  /** All such acts share one count, which is not that of sign-ins: failures there keep nobody from these. */
  private async check(user: User, password: string | undefined, { network }: Pick<RequestOrigin, 'network'>): Promise<User> {
    const hash = passwordHashOf(user)
    if (!hash) throw noPassword()
    if (password === undefined) throw wrongPassword()
    const verification = await this.passwords.check(hash, password, {
      throttles: [{ key: `password change ${user.id}`, rule: perAccount }],
      place: { lane: 'known', turnOf: network },
    })
    if (!verification) throw wrongPassword()
    return user
  }
}
