import { Injectable } from '@nestjs/common'
import { type Organization, organizations } from '@trestle/contracts/accounts/organizations'
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

  async get(userId: string, organizationId: string): Promise<Organization> {
    if (organizationId === personalOrganizationOf(userId)) return this.personal(userId)
    const { permission } = organizations.get.access
    const { roster, actor } = await this.rosters.read({ userId, organizationId, permission })
    const permissions = permissionsOfRoles(actor.roles, roster.definitions)
    return describeOrganization({ ...(await this.organizations.get(organizationId)), roles: actor.roles, permissions })
  }

  rename(userId: string, organizationId: string, name: string): Promise<Organization> {
    const { permission } = organizations.rename.access
    return this.rosters.change({ userId, organizationId, permission }, async ({ tx, roster, actor: { roles } }) => {
      const renamed = await this.organizations.updateName(tx, organizationId, name)
      return describeOrganization({ ...renamed, roles, permissions: permissionsOfRoles(roles, roster.definitions) })
    })
  }

  remove(userId: string, organizationId: string): Promise<void> {
    const { permission } = organizations.remove.access
    return this.rosters.change({ userId, organizationId, permission }, async ({ tx, now, roster, actor }) => {
      checkDissolution(roster, actor)
      await this.dissolutions.dissolve(tx, { organizationId, userId, roster }, now)
    })
  }

  private async personal(userId: string): Promise<Organization> {
    return describePersonal(await this.organizations.getUser(userId))
  }
}
