import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import { Clock } from '@trestle/runtime/clock'
import { PasswordsService } from '../passwords/passwords.service.js'
import { hasJustSignedIn } from '../sessions/session.js'
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
    private readonly clock: Clock,
  ) {}

  /** The user, or Problem `WrongPassword`; of one without a password, `NoPassword` unless they have just signed in with their provider. */
  async requireOwner(caller: Caller, password: string | undefined, origin: Pick<RequestOrigin, 'network'>): Promise<User> {
    const user = await this.find(caller.userId)
    if (passwordHashOf(user)) return this.check(user, password, origin)
    if (!hasJustSignedIn(caller, this.clock.now())) throw noPassword()
    return user
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
