import { Injectable } from '@nestjs/common'
import { HashingService } from '../passwords/hashing.service.js'
import { PasswordsService } from '../passwords/passwords.service.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { User } from '../users/user.js'
import { UsersService } from '../users/users.service.js'
import type { BasicCredentials } from './basic-credentials.js'
import { accountOf, countedSignIn, invalidCredentials, requireAdmitted } from './sign-in.js'

/** Finds the user that credentials belong to. For an unknown user it asks, counts and hashes as much as for a known one. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly hashing: HashingService,
    private readonly throttling: ThrottlingService,
  ) {}

  async verify({ identifier, password }: BasicCredentials, network: string): Promise<User> {
    // Before the database is asked anything: what is refused in a storm must cost next to nothing.
    this.hashing.requireRoom()
    const user = await this.users.find(identifier)
    const account = accountOf(user, identifier)
    const counted = countedSignIn(account, network, await this.throttling.knows(account, network))
    const verification = await this.passwords.check(user?.disabledAt ? undefined : user?.passwordHash, password, counted)
    if (!verification) throw invalidCredentials()
    const admitted = requireAdmitted(user)
    if (verification.outdated) await this.users.rehash(admitted, await this.passwords.rehash(password))
    await this.throttling.remember(account, network)
    return admitted
  }
}
