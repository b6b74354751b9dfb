import { Injectable } from '@nestjs/common'
import type { Permission } from '@trestle/contracts/permissions'
import type { AccountsTransaction } from '../database.module.js'

interface RoleKey {
  readonly organizationId: string
  readonly name: string
}

@Injectable()
export class RolesRepository {
  async upsert(tx: AccountsTransaction, { permissions, ...key }: RoleKey & { permissions: Permission[] }): Promise<void> {
    await tx.role.upsert({ where: { organizationId_name: key }, create: { ...key, permissions }, update: { permissions } })
  }

  async delete(tx: AccountsTransaction, key: RoleKey): Promise<void> {
    await tx.role.delete({ where: { organizationId_name: key } })
  }

  /** Whether an invitation that can still be accepted gives the role. */
  async isOffered(tx: AccountsTransaction, { organizationId, name }: RoleKey, now: Date): Promise<boolean> {
    const where = { organizationId, acceptedAt: null, expiresAt: { gt: now }, roles: { has: name } }
    return (await tx.invitation.count({ where })) > 0
  }
}
