import { Injectable } from '@nestjs/common'
import type { Caller } from '@trestle/contracts/caller'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { PasswordConfirmationService } from '../users/password-confirmation.service.js'
import { type User, unknownUser } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import { requireRoomForFactor, type SecondFactorRecord } from './second-factor.js'
import { SecondFactorsRepository } from './second-factors.repository.js'

/** Who adds factors. */
@Injectable()
export class FactorOwnerService {
  constructor(
    private readonly users: UsersService,
    private readonly factors: SecondFactorsRepository,
    private readonly confirmation: PasswordConfirmationService,
  ) {}

  async require(userId: string): Promise<User> {
    const user = await this.users.find(userId)
    if (!user || user.disabledAt) throw unknownUser()
    return user
  }

  /** Whether the user proves with a password to be the owner. */
  async hasPassword(userId: string): Promise<boolean> {
    return this.confirmation.hasPassword(await this.require(userId))
  }

  /** Whoever begins to add a factor and may: the first one takes the owner, as a stolen token could keep them out with it. */
  async requireAllowed(
    caller: Caller,
    password: string | undefined,
    origin: RequestOrigin,
  ): Promise<{ user: User; existing: SecondFactorRecord[] }> {
    const [user, existing] = await Promise.all([this.require(caller.userId), this.factors.list(caller.userId)])
    requireRoomForFactor(existing)
    if (existing.length === 0) await this.confirmation.requireOwner(caller, password, origin)
    return { user, existing }
  }
}
