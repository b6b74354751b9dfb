import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import { Clock } from '@trestle/runtime/clock'
import { PasswordsService } from '../passwords/passwords.service.js'
import { hasJustSignedIn } from '../sessions/session.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { perAccount } from '../throttling/throttle.js'
import { passwordHashOf, type User, unknownUser } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import { requireRoomForFactor, type SecondFactorRecord, wrongOwner } from './second-factor.js'
import { SecondFactorsRepository } from './second-factors.repository.js'

interface Attempt {
  readonly caller: Caller
  readonly password: string | undefined
  readonly origin: RequestOrigin
}

/** Who adds factors. */
@Injectable()
export class FactorOwnerService {
  constructor(
    private readonly users: UsersService,
    private readonly factors: SecondFactorsRepository,
    private readonly passwords: PasswordsService,
    private readonly clock: Clock,
  ) {}

  async require(userId: string): Promise<User> {
    const user = await this.users.find(userId)
    if (!user || user.disabledAt) throw unknownUser()
    return user
  }

  /** Whoever begins to add a factor and may: the first one takes the password, or a sign-in with a provider just now, as a stolen token could keep out the owner with it. */
  async requireAllowed(
    caller: Caller,
    password: string | undefined,
    origin: RequestOrigin,
  ): Promise<{ user: User; existing: SecondFactorRecord[] }> {
    const [user, existing] = await Promise.all([this.require(caller.userId), this.factors.list(caller.userId)])
    requireRoomForFactor(existing)
    if (existing.length === 0 && !(await this.isOwner(user, { caller, password, origin }))) throw wrongOwner()
    return { user, existing }
  }

  private async isOwner(user: User, { caller, password, origin: { network } }: Attempt): Promise<boolean> {
    const hash = passwordHashOf(user)
    if (!hash) return hasJustSignedIn(caller, this.clock.now())
    if (password === undefined) return false
    // Counted with changes of the password: both are guesses by somebody who has a token.
    const throttles = [{ key: `password change ${user.id}`, rule: perAccount }]
    return (await this.passwords.check(hash, password, { throttles, place: { lane: 'known', turnOf: network } })) !== undefined
  }
}
