import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { type ServiceAccount, serviceAccounts } from '@trestle/contracts/accounts/service-accounts'
import type { Caller } from '@trestle/contracts/caller'
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

  create(caller: Caller, organizationId: string, { name, roles }: { name: string; roles: readonly string[] }): Promise<ServiceAccount> {
    return this.rosters.change({ caller, organizationId, endpoint: serviceAccounts.create }, async ({ tx, now, roster, actor }) => {
      checkGrant(actor, roles, roster)
      requirePerson(roles)
      requireRoomFor(roster.members.length)
      const user = serviceAccountUser(`user-${randomUUID()}`, { organizationId, name }, now)
      await this.accounts.insert(tx, user)
      await this.memberships.add(tx, { userId: user.id, organizationId, roles }, now)
      return describeServiceAccount({ userId: user.id, email: '', displayName: name, roles, joinedAt: now, serviceAccount: true })
    })
  }

  async list(caller: Caller, organizationId: string): Promise<ServiceAccount[]> {
    const { roster } = await this.rosters.read({ caller, organizationId, endpoint: serviceAccounts.list })
    return roster.members.filter(({ serviceAccount }) => serviceAccount).map(describeServiceAccount)
  }

  remove(caller: Caller, organizationId: string, id: string): Promise<void> {
    return this.rosters.change({ caller, organizationId, endpoint: serviceAccounts.remove }, async ({ tx, now, roster, actor }) => {
      const account = roster.members.find((member) => member.userId === id && member.serviceAccount)
      if (!account) throw unknownServiceAccount()
      requireCovers(actor, [...permissionsOfRoles(account.roles, roster.definitions)], roster.definitions)
      await this.memberships.end(tx, { userId: id, organizationId }, now)
      await this.keys.endAll(tx, { organizationId, userId: id }, now)
    })
  }
}
