import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import { MembershipsService } from '../memberships/memberships.service.js'
import { permissionsOfRoles, roleDefinitions } from '../memberships/role.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { describeOrganization } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'

/** Creates shared organizations, within the budget of who becomes their owner. */
@Injectable()
export class OrganizationCreationService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly memberships: MembershipsService,
    private readonly unitOfWork: UnitOfWorkService,
    private readonly throttling: ThrottlingService,
  ) {}

  async create(userId: string, name: string): Promise<Organization> {
    await this.throttling.spend({ organizationsByUser: userId })
    return this.unitOfWork.run(async (tx, now) => {
      const organization = { id: `org-${randomUUID()}`, name, createdAt: now }
      const roles = ['owner']
      await this.organizations.insert(tx, organization)
      await this.memberships.add(tx, { userId, organizationId: organization.id, roles }, now)
      return describeOrganization({ ...organization, roles, permissions: permissionsOfRoles(roles, roleDefinitions([])) })
    })
  }
}
