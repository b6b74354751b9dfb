import { Injectable } from '@nestjs/common'
import { type Organization, organizations } from '@trestle/contracts/accounts/organizations'
import type { Caller } from '@trestle/contracts/caller'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { permissionsOfRoles } from '../memberships/role.js'
import { DissolutionsService } from './dissolutions.service.js'
import { checkDissolution, describeOrganization, describePersonal } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'
import { RostersService } from './rosters.service.js'

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly rosters: RostersService,
    private readonly dissolutions: DissolutionsService,
  ) {}

  /** The personal one last. */
  async list(userId: string): Promise<Organization[]> {
    const shared = await this.organizations.listByUser(userId)
    return [...shared.map(describeOrganization), await this.personal(userId)]
  }

  async get(caller: Caller, organizationId: string): Promise<Organization> {
    if (organizationId === personalOrganizationOf(caller.userId)) return this.personal(caller.userId)
    const { roster, actor } = await this.rosters.read({ caller, organizationId, endpoint: organizations.get })
    const permissions = permissionsOfRoles(actor.roles, roster.definitions)
    return describeOrganization({ ...(await this.organizations.get(organizationId)), roles: actor.roles, permissions })
  }

  rename(caller: Caller, organizationId: string, name: string): Promise<Organization> {
    return this.rosters.change({ caller, organizationId, endpoint: organizations.rename }, async ({ tx, roster, actor: { roles } }) => {
      const renamed = await this.organizations.updateName(tx, organizationId, name)
      return describeOrganization({ ...renamed, roles, permissions: permissionsOfRoles(roles, roster.definitions) })
    })
  }

  remove(caller: Caller, organizationId: string): Promise<void> {
    return this.rosters.change({ caller, organizationId, endpoint: organizations.remove }, async ({ tx, now, roster, actor }) => {
      checkDissolution(roster, actor)
      await this.dissolutions.dissolve(tx, { organizationId, userId: caller.userId, roster }, now)
    })
  }

  private async personal(userId: string): Promise<Organization> {
    return describePersonal(await this.organizations.getUser(userId))
  }
}
