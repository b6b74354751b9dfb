import { Injectable } from '@nestjs/common'
import type { ProviderIdentity } from '@trestle/contracts/accounts/identities'
import type { AccountsTransaction } from '../database.module.js'
import { ProviderDirectoryService } from '../identity-providers/provider-directory.service.js'
import { PasswordConfirmationService } from '../users/password-confirmation.service.js'
import type { User } from '../users/user.js'
import { IdentitiesRepository } from './identities.repository.js'
import { describeIdentity, requireUnlinkable } from './identity.js'

/** What identity providers call a user. */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly directory: ProviderDirectoryService,
    private readonly passwords: PasswordConfirmationService,
  ) {}

  async list(userId: string): Promise<ProviderIdentity[]> {
    const found = await this.identities.list(userId)
    return found.map((identity) => describeIdentity(identity, this.directory.providers))
  }

  /** Problem `UnknownIdentity` or `LastSignIn`. Of two at once, each sees what the other leaves. */
  async remove(tx: AccountsTransaction, user: User, id: string): Promise<ProviderIdentity> {
    const { providers } = this.directory
    const identity = requireUnlinkable(await this.identities.lock(tx, user.id), id, {
      hasPassword: this.passwords.hasPassword(user),
      providers,
      required: this.directory.requiredFor(user.emailCanonical),
    })
    await this.identities.delete(tx, id)
    return describeIdentity(identity, providers)
  }
}
