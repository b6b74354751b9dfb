import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'

interface Grant {
  readonly organizationId: string
  readonly roles: readonly string[]
}

@Injectable()
export class GrantedRolesRepository {
  async find(tx: AccountsTransaction, userId: string, provider: string): Promise<Grant | undefined> {
    const row = await tx.grantedRoles.findUnique({ where: { userId_provider: { userId, provider } } })
    return row ? { organizationId: row.organizationId, roles: row.roles } : undefined
  }

  async save(
    tx: AccountsTransaction,
    { userId, provider, organizationId, roles }: Grant & { userId: string; provider: string },
  ): Promise<void> {
    const data = { organizationId, roles: [...roles] }
    await tx.grantedRoles.upsert({ where: { userId_provider: { userId, provider } }, create: { userId, provider, ...data }, update: data })
  }

  async delete(tx: AccountsTransaction, userId: string, provider: string): Promise<void> {
    await tx.grantedRoles.deleteMany({ where: { userId, provider } })
  }
}
