import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import { EmailTokensRepository } from './email-tokens.repository.js'
import { ExternalIdentitiesRepository } from './external-identities.repository.js'
import { type IdentifiedUser, type LinkedIdentity, pendingRegistration, type User } from './user.js'
import { UserMailsService } from './user-mails.service.js'
import { UsersRepository } from './users.repository.js'

/** Users that an identity provider names. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly users: UsersRepository,
    private readonly tokens: EmailTokensRepository,
    private readonly identities: ExternalIdentitiesRepository,
    private readonly mails: UserMailsService,
  ) {}

  async find(tx: AccountsTransaction, identity: LinkedIdentity, now: Date): Promise<IdentifiedUser | undefined> {
    const found = await this.identities.findUser(tx, identity)
    return found && (await this.identities.updateUse(tx, identity, now)) ? found : undefined
  }

  /** Links an identity with the user of its address, new or not; for addresses that the provider decides about. */
  async provide(tx: AccountsTransaction, user: User, identity: LinkedIdentity, now: Date): Promise<IdentifiedUser | undefined> {
    const verified = { ...user, verifiedAt: now }
    const isNew = await this.users.insert(tx, verified)
    const existing = isNew ? verified : await this.users.findInTransaction(tx, user.emailCanonical)
    if (!existing) return undefined
    if (existing.verifiedAt && !isNew) await this.mails.sendIdentityLinked(tx, existing, identity)
    // Whoever signed up with the address did not prove that it is theirs: their password and their tokens end.
    if (!existing.verifiedAt && (await this.users.updateVerified(tx, existing.id, pendingRegistration({ user }), now)))
      await this.tokens.forgetPending(tx, existing.id)
    await this.identities.link(tx, existing.id, identity, now)
    return this.identities.findUser(tx, identity)
  }
}
