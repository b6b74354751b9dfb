import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { getMembership, listMembers } from '@trestle/contracts/accounts/messages'
import type { Member as DescribedMember, Organization, Role } from '@trestle/contracts/accounts/organizations'
import type { ReplyOf } from '@trestle/contracts/message'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import {
  alreadyMember,
  checkDissolution,
  checkRemoval,
  checkRoleChange,
  describeOrganization,
  requireRole,
  seatOf,
  unknownMember,
  unknownOrganization,
} from './organization.js'
import { type MemberRecord, OrganizationsRepository } from './organizations.repository.js'

// What fits into one message.
const PAGE_SIZE = 1000

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly unitOfWork: UnitOfWorkService,
    private readonly throttling: ThrottlingService,
  ) {}

  async create(userId: string, name: string): Promise<Organization> {
    await this.throttling.spend({ organizationsByUser: userId })
    return this.unitOfWork.run(async (tx, now) => {
      const organization = { id: `org-${randomUUID()}`, name, createdAt: now }
      await this.organizations.insert(tx, organization)
      const founder = { userId, roles: ['owner'] as const, joinedAt: now }
      if (!(await this.organizations.insertMember(tx, organization.id, founder))) throw alreadyMember()
      return describeOrganization({ ...organization, roles: founder.roles })
    })
  }

  async list(userId: string): Promise<Organization[]> {
    const organization = await this.organizations.findByUser(userId)
    return organization ? [describeOrganization(organization)] : []
  }

  async get(userId: string, id: string): Promise<Organization> {
    const organization = await this.organizations.findByUser(userId)
    if (organization?.id !== id) throw unknownOrganization()
    return describeOrganization(organization)
  }

  rename(userId: string, id: string, name: string): Promise<Organization> {
    return this.unitOfWork.run(async (tx) => {
      const members = await this.organizations.lockAndListMembers(tx, id)
      const { roles } = seatOf(userId, members)
      requireRole(roles, 'rename')
      return describeOrganization({ ...(await this.organizations.updateName(tx, id, name)), roles })
    })
  }

  remove(userId: string, id: string): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const members = await this.organizations.lockAndListMembers(tx, id)
      checkDissolution(members, seatOf(userId, members))
      await this.organizations.delete(tx, id)
    })
  }

  async members(userId: string, id: string): Promise<DescribedMember[]> {
    const members = await this.organizations.listMembers(id)
    seatOf(userId, members)
    return members.map(describeMember)
  }

  changeRoles(userId: string, id: string, { memberId, roles }: { memberId: string; roles: readonly Role[] }): Promise<DescribedMember> {
    return this.unitOfWork.run(async (tx) => {
      const members = await this.organizations.lockAndListMembers(tx, id)
      const target = targetOf(userId, memberId, members)
      checkRoleChange(members, seatOf(userId, members), target, roles)
      const changed = { ...target, roles }
      await this.organizations.updateRoles(tx, changed)
      return describeMember(changed)
    })
  }

  removeMember(userId: string, id: string, memberId: string): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const members = await this.organizations.lockAndListMembers(tx, id)
      const target = targetOf(userId, memberId, members)
      checkRemoval(members, seatOf(userId, members), target)
      await this.organizations.deleteMember(tx, target)
    })
  }

  /** For services whose endpoints require a role. */
  async membership(userId: string): Promise<ReplyOf<typeof getMembership>> {
    const organization = await this.organizations.findByUser(userId)
    if (!organization) return { organization: null, roles: [] }
    return { organization: { id: organization.id, name: organization.name }, roles: [...organization.roles] }
  }

  /** For services that report on an organization. */
  async listMembers(id: string, after?: string): Promise<ReplyOf<typeof listMembers>> {
    const members = await this.organizations.listMembersAfter(id, { after, limit: PAGE_SIZE })
    return { members, next: members.length === PAGE_SIZE ? members.at(-1)?.userId : undefined }
  }
}

function describeMember({ userId, email, displayName, roles, joinedAt }: MemberRecord): DescribedMember {
  return { userId, email, displayName, roles: [...roles], joinedAt: joinedAt.toISOString() }
}

/** Only a member learns who the other members are. */
function targetOf(userId: string, memberId: string, members: readonly MemberRecord[]): MemberRecord {
  seatOf(userId, members)
  const target = members.find((member) => member.userId === memberId)
  if (!target) throw unknownMember()
  return target
}
