import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { type ServiceAccount, serviceAccounts } from '@trestle/contracts/accounts/service-accounts'
import { KeyEndingsService } from '../client-keys/key-endings.service.js'
import { MembershipsService } from '../memberships/memberships.service.js'
import { permissionsOfRoles } from '../memberships/role.js'
import { checkGrant, requireCovers, requirePerson, requireRoomFor } from '../organizations/organization.js'
import { RostersService } from '../organizations/rosters.service.js'
import { describeServiceAccount, serviceAccountUser, unknownServiceAccount } from './service-account.js'
import { ServiceAccountsRepository } from './service-accounts.repository.js'

/** Members of organizations that are no persons: their keys go on when those who made them have left. */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly rosters: RostersService,
    private readonly accounts: ServiceAccountsRepository,
    private readonly memberships: MembershipsService,
    private readonly keys: KeyEndingsService,
  ) {}

  create(userId: string, organizationId: string, { name, roles }: { name: string; roles: readonly string[] }): Promise<ServiceAccount> {
    const { permission } = serviceAccounts.create.access
    return this.rosters.change({ userId, organizationId, permission }, async ({ tx, now, roster, actor }) => {
      checkGrant(actor, roles, roster)
      requirePerson(roles)
      requireRoomFor(roster.members.length)
      const user = serviceAccountUser(`user-${randomUUID()}`, { organizationId, name }, now)
      await this.accounts.insert(tx, user)
      await this.memberships.add(tx, { userId: user.id, organizationId, roles }, now)
      return describeServiceAccount({ userId: user.id, email: '', displayName: name, roles, joinedAt: now, serviceAccount: true })
    })
  }

  async list(userId: string, organizationId: string): Promise<ServiceAccount[]> {
    const { permission } = serviceAccounts.list.access
    const { roster } = await this.rosters.read({ userId, organizationId, permission })
    return roster.members.filter(({ serviceAccount }) => serviceAccount).map(describeServiceAccount)
  }

  remove(userId: string, organizationId: string, id: string): Promise<void> {
    const { permission } = serviceAccounts.remove.access
    return this.rosters.change({ userId, organizationId, permission }, async ({ tx, now, roster, actor }) => {
      const account = roster.members.find((member) => member.userId === id && member.serviceAccount)
      if (!account) throw unknownServiceAccount()
      requireCovers(actor, [...permissionsOfRoles(account.roles, roster.definitions)], roster.definitions)
      await this.memberships.end(tx, { userId: id, organizationId }, now)
      await this.keys.endAll(tx, { organizationId, userId: id }, now)
    })
  }
}
