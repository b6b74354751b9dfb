import { randomBytes, randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { type Invitation as DescribedInvitation, organizations } from '@trestle/contracts/accounts/organizations'
import type { Caller } from '@trestle/contracts/caller'
import { requireEmail } from '../users/email.js'
import { hashInvitationToken, type InvitationRecord, invite, openSince, unknownInvitation } from './invitation.js'
import { InvitationMailsService } from './invitation-mails.service.js'
import { InvitationsRepository } from './invitations.repository.js'
import { checkGrant } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'
import { RostersService } from './rosters.service.js'

/** The invitations of an organization, for who may change its members. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly rosters: RostersService,
    private readonly organizations: OrganizationsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly mails: InvitationMailsService,
  ) {}

  /** A second invitation to the same address replaces the first. */
  async invite(caller: Caller, organizationId: string, to: { email: string; roles: readonly string[] }): Promise<DescribedInvitation> {
    const email = requireEmail(to.email)
    const token = randomBytes(32).toString('base64url')
    const { userId } = caller
    const request = { caller, organizationId, endpoint: organizations.invite }
    // Only who may invite spends the organization's budget; it is checked again under the lock.
    const { roster: known, actor: inviter } = await this.rosters.read(request)
    checkGrant(inviter, to.roles, known)
    await this.mails.spendBudgets({ userId, organizationId, emailCanonical: email.canonical })
    return this.rosters.change(request, async ({ tx, now, roster, actor }) => {
      checkGrant(actor, to.roles, roster)
      const unaccepted = await this.invitations.countUnaccepted(tx, organizationId, openSince(now))
      const invitation = invite({ id: `invitation-${randomUUID()}`, organizationId, email, roles: to.roles, unaccepted }, now)
      await this.invitations.withdraw(tx, { organizationId, emailCanonical: email.canonical }, now)
      await this.invitations.insert(tx, invitation, hashInvitationToken(token))
      const { name } = await this.organizations.get(organizationId, tx)
      await this.mails.send(tx, { to: invitation.email, organization: name, token })
      return describeInvitation(invitation)
    })
  }

  list(caller: Caller, organizationId: string): Promise<DescribedInvitation[]> {
    return this.rosters.change({ caller, organizationId, endpoint: organizations.invitations }, async ({ tx, now }) =>
      (await this.invitations.listOpen(tx, organizationId, now)).map(describeInvitation),
    )
  }

  withdraw(caller: Caller, organizationId: string, id: string): Promise<void> {
    return this.rosters.change({ caller, organizationId, endpoint: organizations.withdraw }, async ({ tx, now }) => {
      const withdrawn = await this.invitations.withdraw(tx, { organizationId, id }, now)
      if (withdrawn === 0) throw unknownInvitation()
    })
  }
}

function describeInvitation({ id, email, roles, createdAt, expiresAt }: InvitationRecord): DescribedInvitation {
  return { id, email, roles: [...roles], createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
