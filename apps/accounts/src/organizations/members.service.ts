import { Injectable } from '@nestjs/common'
import { type Member as DescribedMember, organizations } from '@trestle/contracts/accounts/organizations'
import type { Caller } from '@trestle/contracts/caller'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { MembershipsService } from '../memberships/memberships.service.js'
import { checkRemoval, checkRoleChange, type MemberRecord, type Roster, unknownMember } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'
import { RostersService } from './rosters.service.js'

@Injectable()
export class MembersService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly rosters: RostersService,
    private readonly memberships: MembershipsService,
  ) {}

  async list(caller: Caller, organizationId: string): Promise<DescribedMember[]> {
    const { userId } = caller
    if (organizationId === personalOrganizationOf(userId)) {
      const { createdAt: joinedAt, ...user } = await this.organizations.getUser(userId)
      return [describeMember({ ...user, userId, roles: ['owner'], joinedAt, serviceAccount: false })]
    }
    const { roster } = await this.rosters.read({ caller, organizationId, endpoint: organizations.members })
    return roster.members.map(describeMember)
  }

  changeRoles(
    caller: Caller,
    organizationId: string,
    { memberId, roles }: { memberId: string; roles: readonly string[] },
  ): Promise<DescribedMember> {
    return this.rosters.change({ caller, organizationId, endpoint: organizations.changeRoles }, async ({ tx, now, roster, actor }) => {
      const target = targetOf(memberId, roster)
      checkRoleChange(roster, actor, target, roles)
      await this.memberships.changeRoles(tx, { userId: memberId, organizationId, roles }, now)
      return describeMember({ ...target, roles })
    })
  }

  /** Leaving needs no permission. */
  remove(caller: Caller, organizationId: string, memberId: string): Promise<void> {
    const endpoint = caller.userId === memberId ? undefined : organizations.removeMember
    return this.rosters.change({ caller, organizationId, endpoint }, async ({ tx, now, roster, actor }) => {
      checkRemoval(roster, actor, targetOf(memberId, roster))
      await this.memberships.end(tx, { userId: memberId, organizationId }, now)
    })
  }
}

function describeMember({ userId, email, displayName, roles, joinedAt, serviceAccount }: MemberRecord): DescribedMember {
  const member = { userId, email, displayName, roles: [...roles], joinedAt: joinedAt.toISOString() }
  return serviceAccount ? { ...member, serviceAccount } : member
}

function targetOf(memberId: string, { members }: Roster<MemberRecord>): MemberRecord {
  const target = members.find((member) => member.userId === memberId)
  if (!target) throw unknownMember()
  return target
}
