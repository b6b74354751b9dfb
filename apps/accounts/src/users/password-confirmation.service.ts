import { Injectable } from '@nestjs/common'
import { PasswordsService } from '../passwords/passwords.service.js'
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
  ) {}

  /** The user, or Problem `WrongPassword` or `NoPassword`. All such acts share one count, which is not that of sign-ins: failures there keep nobody from these. */
  async require(userId: string, password: string, { network }: Pick<RequestOrigin, 'network'>): Promise<User> {
    const user = await this.users.find({ id: userId })
    if (!user) throw unknownUser()
    const hash = passwordHashOf(user)
    if (!hash) throw noPassword()
    const verification = await this.passwords.check(hash, password, {
      throttles: [{ key: `password change ${userId}`, rule: perAccount }],
      place: { lane: 'known', turnOf: network },
    })
    if (!verification) throw wrongPassword()
    return user
  }
}
