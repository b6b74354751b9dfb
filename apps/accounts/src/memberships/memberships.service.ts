import { Injectable } from '@nestjs/common'
import { type listMemberships, membershipChanged, organizationDissolved } from '@trestle/contracts/accounts/messages'
import type { ReplyOf, RequestOf } from '@trestle/contracts/message'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { Outbox } from '@trestle/messaging/outbox'
import { Problem } from '@trestle/problem/problem'
import type { AccountsTransaction } from '../database.module.js'
import { describeMembership, encodeMembershipPosition, type MembershipRecord, startOfMemberships } from './membership.js'
import { MembershipsRepository } from './memberships.repository.js'

const PAGE_SIZE = 1000
const MAX_ORGANIZATIONS = 50

interface NewMembership {
  readonly userId: string
  readonly organizationId: string
  readonly roles: readonly string[]
}

/** Who is in which organization: every change is published, in the transaction that makes it. */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** What was changed since the last reply, with some overlap. */
  async list(request: RequestOf<typeof listMemberships>): Promise<ReplyOf<typeof listMemberships>> {
    const { asOf, rows } = await this.memberships.list(startOfMemberships(request), PAGE_SIZE)
    const last = rows.length === PAGE_SIZE ? rows.at(-1) : undefined
    return { asOf: asOf.toISOString(), memberships: rows.map(describeMembership), next: last && encodeMembershipPosition(last) }
  }

  /** Problem `UserDisabled` where an account was closed, or the user disabled, meanwhile: then nothing would end the membership. */
  async add(tx: AccountsTransaction, membership: NewMembership, now: Date): Promise<void> {
    if (!(await this.memberships.lockUser(tx, membership.userId))) throw userDisabled()
    if ((await this.memberships.countOf(tx, membership.userId)) >= MAX_ORGANIZATIONS) throw tooManyOrganizations()
    const added = await this.memberships.add(tx, membership, now)
    if (!added) throw alreadyMember()
    await this.publish(tx, [added])
  }

  async changeRoles(tx: AccountsTransaction, membership: NewMembership, now: Date): Promise<void> {
    await this.publish(tx, await this.memberships.updateRoles(tx, membership, now))
  }

  end(tx: AccountsTransaction, membership: Omit<NewMembership, 'roles'>, now: Date): Promise<void> {
    return this.changeRoles(tx, { ...membership, roles: [] }, now)
  }

  /** What the organization owned goes to the personal one of its last member. */
  async dissolve(tx: AccountsTransaction, { userId, organizationId }: Omit<NewMembership, 'roles'>, now: Date): Promise<void> {
    const heirId = personalOrganizationOf(userId)
    await this.outbox.add(tx, organizationDissolved, { organizationId, heirId, dissolvedAt: now.toISOString() })
  }

  /** What a role permits was changed: so is the membership of everybody who has it. */
  async roleChanged(tx: AccountsTransaction, role: { organizationId: string; name: string }, now: Date): Promise<void> {
    await this.publish(tx, await this.memberships.raiseVersions(tx, role, now))
  }

  /** What an organization demands of its members was changed. */
  async policyChanged(tx: AccountsTransaction, organizationId: string, now: Date): Promise<void> {
    await this.publish(tx, await this.memberships.raiseVersions(tx, { organizationId }, now))
  }

  private async publish(tx: AccountsTransaction, memberships: readonly MembershipRecord[]): Promise<void> {
    for (const membership of memberships) await this.outbox.add(tx, membershipChanged, describeMembership(membership))
  }
}

function userDisabled(): Problem {
  return new Problem('forbidden', 'UserDisabled', 'This account is disabled, or about to be deleted: it joins no organization.')
}

function alreadyMember(): Problem {
  return new Problem('conflict', 'AlreadyMember', 'You are already a member of the organization.')
}

function tooManyOrganizations(): Problem {
  return new Problem('conflict', 'LimitExceeded', `A user is in at most ${MAX_ORGANIZATIONS} organizations; leave one first.`)
}
