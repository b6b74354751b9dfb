import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { LinkedIdentity, User } from './user.js'
import { fromUserRow, linkIdentity } from './users.repository.js'

@Injectable()
export class ExternalIdentitiesRepository {
  async findUser(tx: AccountsTransaction, { issuer, subject }: LinkedIdentity): Promise<User | undefined> {
    const row = await tx.externalIdentity.findUnique({ where: { issuer_subject: { issuer, subject } }, include: { user: true } })
    return row ? fromUserRow(row.user) : undefined
  }

  link(tx: AccountsTransaction, userId: string, identity: LinkedIdentity, now: Date): Promise<void> {
    return linkIdentity(tx, userId, identity, now)
  }

  async updateUse(tx: AccountsTransaction, { issuer, subject, provider }: LinkedIdentity, lastUsedAt: Date): Promise<void> {
    await tx.externalIdentity.update({ where: { issuer_subject: { issuer, subject } }, data: { provider, lastUsedAt } })
  }
}
