import { Injectable } from '@nestjs/common'
import { unknownOrganization } from '@trestle/auth/auth-problems'
import { requireFactorFor } from '@trestle/auth/step-up'
import { type OrganizationPolicy, policies } from '@trestle/contracts/accounts/policies'
import type { Caller } from '@trestle/contracts/caller'
import { MembershipsService } from '../memberships/memberships.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { requireOwner } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'
import { checkPolicy } from './policy.js'
import { RostersService } from './rosters.service.js'

/** What organizations demand of their members; every service learns of a change with the memberships. */
@Injectable()
export class PoliciesService {
  constructor(
    private readonly rosters: RostersService,
    private readonly organizations: OrganizationsRepository,
    private readonly memberships: MembershipsService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  async get(caller: Caller, organizationId: string): Promise<OrganizationPolicy> {
    return (await this.rosters.read({ caller, organizationId, endpoint: policies.get })).policy
  }

  set(caller: Caller, organizationId: string, wanted: OrganizationPolicy): Promise<OrganizationPolicy> {
    return this.rosters.change({ caller, organizationId, endpoint: policies.set }, async ({ tx, now, roster, actor }) => {
      requireOwner(actor)
      requireFactorFor(caller, wanted)
      const policy = checkPolicy(wanted, roster)
      await this.organizations.updatePolicy(tx, organizationId, policy)
      await this.memberships.policyChanged(tx, organizationId, now)
      return policy
    })
  }

  /** By an administrator. */
  remove(organizationId: string): Promise<void> {
    return this.unitOfWork.runAudited(async (tx, now) => {
      if ((await this.organizations.lockRoster(tx, organizationId)).members.length === 0) throw unknownOrganization()
      await this.organizations.updatePolicy(tx, organizationId, { requireSecondFactor: false, approvals: [] })
      await this.memberships.policyChanged(tx, organizationId, now)
    })
  }
}
