import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { IdentifiedUser, LinkedIdentity } from './user.js'
import { fromUserRow, linkIdentity } from './users.repository.js'

@Injectable()
export class ExternalIdentitiesRepository {
  async findUser(tx: AccountsTransaction, { issuer, subject }: LinkedIdentity): Promise<IdentifiedUser | undefined> {
    const row = await tx.externalIdentity.findUnique({ where: { issuer_subject: { issuer, subject } }, include: { user: true } })
    return row ? { user: fromUserRow(row.user), identityId: row.id } : undefined
  }

  link(tx: AccountsTransaction, userId: string, identity: LinkedIdentity, now: Date): Promise<void> {
    return linkIdentity(tx, userId, identity, now)
  }

  /** False where it was unlinked meanwhile. */
  async updateUse(tx: AccountsTransaction, { issuer, subject, ...said }: LinkedIdentity, lastUsedAt: Date): Promise<boolean> {
    // What the provider says no longer is not shown any more.
    const { provider, name = null, email = null } = said
    const { count } = await tx.externalIdentity.updateMany({ where: { issuer, subject }, data: { provider, name, email, lastUsedAt } })
    return count === 1
  }
}
