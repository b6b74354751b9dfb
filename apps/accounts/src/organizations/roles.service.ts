import { Injectable } from '@nestjs/common'
import { organizations, type RoleDefinition } from '@trestle/contracts/accounts/organizations'
import type { Caller } from '@trestle/contracts/caller'
import { type Permission, personalOrganizationOf } from '@trestle/contracts/permissions'
import { MembershipsService } from '../memberships/memberships.service.js'
import { type RoleDefinitions, roleDefinitions } from '../memberships/role.js'
import { checkOwnRole, describeRole, describeRoles, roleInUse, unknownRole } from './own-role.js'
import { RolesRepository } from './roles.repository.js'
import { RostersService } from './rosters.service.js'

/** The roles of organizations; what one permits is changed for everybody who has it, in one transaction. */
@Injectable()
export class RolesService {
  constructor(
    private readonly roles: RolesRepository,
    private readonly rosters: RostersService,
    private readonly memberships: MembershipsService,
  ) {}

  async list(caller: Caller, organizationId: string): Promise<RoleDefinition[]> {
    return describeRoles(await this.definitions(caller, organizationId))
  }

  async get(caller: Caller, organizationId: string, name: string): Promise<RoleDefinition> {
    const role = (await this.list(caller, organizationId)).find((each) => each.name === name)
    if (!role) throw unknownRole(name)
    return role
  }

  set(caller: Caller, organizationId: string, { name, permissions }: { name: string; permissions: Permission[] }): Promise<RoleDefinition> {
    return this.rosters.change({ caller, organizationId, endpoint: organizations.setRole }, async ({ tx, now, roster, actor }) => {
      const role = checkOwnRole(roster, actor, { name, permissions })
      await this.roles.upsert(tx, { organizationId, ...role })
      await this.memberships.roleChanged(tx, { organizationId, name }, now)
      return describeRole(name, role.permissions)
    })
  }

  remove(caller: Caller, organizationId: string, name: string): Promise<void> {
    return this.rosters.change({ caller, organizationId, endpoint: organizations.removeRole }, async ({ tx, now, roster, actor }) => {
      if (!roster.definitions.has(name)) throw unknownRole(name)
      checkOwnRole(roster, actor, { name, permissions: [] })
      if (roster.members.some(({ roles }) => roles.includes(name)) || (await this.roles.isOffered(tx, { organizationId, name }, now)))
        throw roleInUse()
      await this.roles.delete(tx, { organizationId, name })
    })
  }

  private async definitions(caller: Caller, organizationId: string): Promise<RoleDefinitions> {
    if (organizationId === personalOrganizationOf(caller.userId)) return roleDefinitions([])
    return (await this.rosters.read({ caller, organizationId, endpoint: organizations.roles })).roster.definitions
  }
}
