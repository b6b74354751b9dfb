import { Injectable } from '@nestjs/common'
import type { Place } from '../passwords/concurrency-limiter.engine.js'
import { HashingService } from '../passwords/hashing.service.js'
import { PasswordsService } from '../passwords/passwords.service.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { passwordHashOf, type User } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import type { BasicCredentials } from './basic-credentials.js'
import { accountOf, invalidCredentials, requireAdmitted, signInThrottles } from './sign-in.js'

/** Finds the user that credentials belong to. An unknown user costs the same queries, counts and hashes as a known one. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly hashing: HashingService,
    private readonly throttling: ThrottlingService,
  ) {}

  verify(credentials: BasicCredentials, network: string): Promise<User> {
    return this.throttling.inTurn(network, () => this.check(credentials, network))
  }

  private async check({ identifier, password }: BasicCredentials, network: string): Promise<User> {
    const user = await this.users.find(identifier)
    const account = accountOf(user, identifier)
    const isKnown = await this.throttling.isKnownNetwork(account, network)
    const place: Place = { lane: isKnown ? 'known' : 'sign-in', turnOf: network }
    // Before anything is counted: a refusal under load must cost little.
    this.hashing.requireRoom(place)
    const throttles = signInThrottles(account, network, isKnown)
    const verification = await this.passwords.check(user?.disabledAt ? undefined : user && passwordHashOf(user), password, {
      throttles,
      place,
    })
    if (!verification) throw invalidCredentials()
    const admitted = requireAdmitted(user)
    if (verification.isOutdated) await this.users.updatePasswordHash(admitted, await this.passwords.rehash(password, network))
    return admitted
  }
}
