import { Injectable } from '@nestjs/common'
import { PasswordsService } from '../passwords/passwords.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { perAccount } from '../throttling/throttle.js'
import { type User, unknownUser } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import { requireRoomForFactor, type SecondFactorRecord, wrongOwner } from './second-factor.js'
import { SecondFactorsRepository } from './second-factors.repository.js'

/** Who adds factors. */
@Injectable()
export class FactorOwnerService {
  constructor(
    private readonly users: UsersService,
    private readonly factors: SecondFactorsRepository,
    private readonly passwords: PasswordsService,
  ) {}

  async require(userId: string): Promise<User> {
    const user = await this.users.find(userId)
    if (!user || user.disabledAt) throw unknownUser()
    return user
  }

  /** Whoever begins to add a factor and may: the first one takes the password, as a stolen token could keep out the owner with it. */
  async requireAllowed(
    userId: string,
    password: string | undefined,
    origin: RequestOrigin,
  ): Promise<{ user: User; existing: SecondFactorRecord[] }> {
    const [user, existing] = await Promise.all([this.require(userId), this.factors.list(userId)])
    requireRoomForFactor(existing)
    if (existing.length === 0 && !(await this.isPassword(user, password, origin))) throw wrongOwner()
    return { user, existing }
  }

  private async isPassword(user: User, password: string | undefined, { network }: RequestOrigin): Promise<boolean> {
    if (password === undefined) return false
    // Counted with changes of the password: both are guesses by somebody who has a token.
    const throttles = [{ key: `password change ${user.id}`, rule: perAccount }]
    return (await this.passwords.check(user.passwordHash, password, { throttles, place: { lane: 'known', turnOf: network } })) !== undefined
  }
}
