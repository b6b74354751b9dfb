import { randomBytes, randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Invitation as DescribedInvitation, Organization, Role } from '@trestle/contracts/accounts/organizations'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { requireEmail } from '../users/email.js'
import {
  hashInvitationToken,
  type InvitationRecord,
  invite,
  isOpenInvitation,
  notInvited,
  openSince,
  requireInvited,
  unknownInvitation,
} from './invitation.js'
import { InvitationMailsService } from './invitation-mails.service.js'
import { InvitationsRepository } from './invitations.repository.js'
import { alreadyMember, checkInvite, describeOrganization, requireRole, seatOf } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'

@Injectable()
export class InvitationsService {
  constructor(
    private readonly unitOfWork: UnitOfWorkService,
    private readonly organizations: OrganizationsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly mails: InvitationMailsService,
  ) {}

  /** A second invitation to the same address replaces the first. */
  async invite(userId: string, organizationId: string, to: { email: string; roles: readonly Role[] }): Promise<DescribedInvitation> {
    const email = requireEmail(to.email)
    const token = randomBytes(32).toString('base64url')
    // Only who may invite spends the organization's budget; it is checked again under the lock.
    checkInvite(seatOf(userId, await this.organizations.listMembers(organizationId)), to.roles)
    await this.mails.spendBudgets({ userId, organizationId, emailCanonical: email.canonical })
    return this.unitOfWork.run(async (tx, now) => {
      checkInvite(seatOf(userId, await this.organizations.lockAndListMembers(tx, organizationId)), to.roles)
      const unaccepted = await this.invitations.countUnaccepted(tx, organizationId, openSince(now))
      const invitation = invite({ id: `invitation-${randomUUID()}`, organizationId, email, roles: to.roles, unaccepted }, now)
      await this.invitations.withdraw(tx, { organizationId, emailCanonical: email.canonical }, now)
      await this.invitations.insert(tx, invitation, hashInvitationToken(token))
      const { name } = await this.organizations.get(tx, organizationId)
      await this.mails.send(tx, { to: invitation.email, organization: name, token })
      return describeInvitation(invitation)
    })
  }

  list(userId: string, organizationId: string): Promise<DescribedInvitation[]> {
    return this.unitOfWork.run(async (tx, now) => {
      requireRole(seatOf(userId, await this.organizations.listMembers(organizationId, tx)).roles, 'invite')
      return (await this.invitations.listOpen(tx, organizationId, now)).map(describeInvitation)
    })
  }

  withdraw(userId: string, organizationId: string, id: string): Promise<void> {
    return this.unitOfWork.run(async (tx, now) => {
      requireRole(seatOf(userId, await this.organizations.lockAndListMembers(tx, organizationId)).roles, 'invite')
      const withdrawn = await this.invitations.withdraw(tx, { organizationId, id }, now)
      if (withdrawn === 0) throw unknownInvitation()
    })
  }

  accept(userId: string, token: string): Promise<Organization> {
    return this.unitOfWork.run(async (tx, now) => {
      const invitation = await this.invitations.findAndLock(tx, hashInvitationToken(token))
      const { id, organizationId, roles } = requireInvited(invitation, await this.invitations.findCanonicalEmail(tx, userId), now)
      if (!(await this.organizations.insertMember(tx, organizationId, { userId, roles, joinedAt: now }))) throw alreadyMember()
      await this.invitations.accept(tx, id, now)
      return describeOrganization({ ...(await this.organizations.get(tx, organizationId)), roles })
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

function describeInvitation({ id, email, roles, createdAt, expiresAt }: InvitationRecord): DescribedInvitation {
  return { id, email, roles: [...roles], createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
