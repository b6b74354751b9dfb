import { Injectable } from '@nestjs/common'
import { Role } from '@trestle/contracts/accounts/organizations'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { OrganizationRecord, OwnOrganization, Seat } from './organization.js'

export interface MemberRecord extends Seat {
  readonly email: string
  readonly displayName: string
  readonly joinedAt: Date
}

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** Locks an organization until the transaction ends and lists its members: none if it does not exist. */
  async lockAndListMembers(tx: AccountsTransaction, id: string): Promise<MemberRecord[]> {
    await tx.$executeRaw`SELECT 1 FROM organization WHERE id = ${id} FOR UPDATE`
    return this.listMembers(id, tx)
  }

  async insert(tx: AccountsTransaction, organization: OrganizationRecord): Promise<void> {
    await tx.organization.create({ data: organization })
  }

  async findByUser(userId: string): Promise<OwnOrganization | undefined> {
    const membership = await this.database.membership.findUnique({ where: { userId }, include: { organization: true } })
    return membership ? { ...membership.organization, roles: Role.array().parse(membership.roles) } : undefined
  }

  /** An organization that is known to exist. */
  get(tx: AccountsTransaction, id: string): Promise<OrganizationRecord> {
    return tx.organization.findUniqueOrThrow({ where: { id } })
  }

  updateName(tx: AccountsTransaction, id: string, name: string): Promise<OrganizationRecord> {
    return tx.organization.update({ where: { id }, data: { name } })
  }

  async delete(tx: AccountsTransaction, id: string): Promise<void> {
    await tx.organization.delete({ where: { id } })
  }

  async listMembers(id: string, tx: AccountsTransaction = this.database): Promise<MemberRecord[]> {
    const rows = await tx.membership.findMany({
      where: { organizationId: id },
      include: { user: { select: { email: true, displayName: true } } },
      orderBy: [{ joinedAt: 'asc' }, { userId: 'asc' }],
    })
    return rows.map(({ userId, roles, joinedAt, user }) => ({ userId, roles: Role.array().parse(roles), joinedAt, ...user }))
  }

  /** A page of members in the order of their user ids. */
  async listMembersAfter(id: string, { after = '', limit }: { after?: string; limit: number }) {
    const rows = await this.database.membership.findMany({
      where: { organizationId: id, userId: { gt: after } },
      select: { userId: true, user: { select: { email: true, displayName: true } } },
      orderBy: { userId: 'asc' },
      take: limit,
    })
    return rows.map(({ userId, user }) => ({ userId, ...user }))
  }

  /** Returns whether the user was added: nobody is in two organizations. */
  async insertMember(
    tx: AccountsTransaction,
    organizationId: string,
    { userId, roles, joinedAt }: Seat & { joinedAt: Date },
  ): Promise<boolean> {
    const data = { userId, organizationId, roles: [...roles], joinedAt }
    return (await tx.membership.createMany({ data, skipDuplicates: true })).count === 1
  }

  async updateRoles(tx: AccountsTransaction, { userId, roles }: Seat): Promise<void> {
    await tx.membership.update({ where: { userId }, data: { roles: [...roles] } })
  }

  async deleteMember(tx: AccountsTransaction, { userId }: Seat): Promise<void> {
    await tx.membership.delete({ where: { userId } })
  }
}
