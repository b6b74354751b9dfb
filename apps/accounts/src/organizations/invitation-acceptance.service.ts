import { Injectable } from '@nestjs/common'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import { MembershipsService } from '../memberships/memberships.service.js'
import { permissionsOfRoles } from '../memberships/role.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { hashInvitationToken, isOpenInvitation, notInvited, requireInvited } from './invitation.js'
import { InvitationsRepository } from './invitations.repository.js'
import { describeOrganization, requireRoomFor } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'

/** What the recipient of an invitation does with it. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly organizations: OrganizationsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsService,
  ) {}

  accept(userId: string, token: string): Promise<Organization> {
    return this.unitOfWork.run(async (tx, now) => {
      const invitation = await this.invitations.findAndLock(tx, hashInvitationToken(token))
      const { id, organizationId, roles } = requireInvited(invitation, await this.invitations.findCanonicalEmail(tx, userId), now)
      const { members, definitions } = await this.organizations.readRoster(organizationId, tx)
      requireRoomFor(members.length)
      await this.memberships.add(tx, { userId, organizationId, roles }, now)
      await this.invitations.accept(tx, id, now)
      const organization = await this.organizations.get(organizationId, tx)
      return describeOrganization({ ...organization, roles, permissions: permissionsOfRoles(roles, definitions) })
    })
  }

  /** Where registration needs an invitation: it is accepted later, after the user has signed in. */
  checkInvitation(emailCanonical: string, token = ''): Promise<void> {
    return this.unitOfWork.run(async (tx, now) => {
      const invitation = await this.invitations.findAndLock(tx, hashInvitationToken(token))
      if (!invitation || !isOpenInvitation(invitation, now) || invitation.emailCanonical !== emailCanonical) throw notInvited()
    })
  }
}
