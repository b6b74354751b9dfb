import { Injectable } from '@nestjs/common'
import type { Role } from '@trestle/contracts/accounts/organizations'
import { Database, type Transaction } from '../database.module.js'
import type { Organization, OwnOrganization, Seat } from './organization.js'

export interface Member extends Seat {
  readonly email: string
  readonly displayName: string
  readonly joinedAt: Date
}

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: Database) {}

  /** The members of an organization, which nobody else changes until the transaction ends; none where there is no such one. */
  async lock(tx: Transaction, id: string): Promise<Member[]> {
    await tx.$executeRaw`SELECT 1 FROM organization WHERE id = ${id} FOR UPDATE`
    return this.members(id, tx)
  }

  async add(tx: Transaction, organization: Organization): Promise<void> {
    await tx.organization.create({ data: organization })
  }

  async findOf(userId: string): Promise<OwnOrganization | undefined> {
    const membership = await this.database.membership.findUnique({ where: { userId }, include: { organization: true } })
    return membership ? { ...membership.organization, roles: membership.roles as Role[] } : undefined
  }

  /** One that is known to be there. */
  get(tx: Transaction, id: string): Promise<Organization> {
    return tx.organization.findUniqueOrThrow({ where: { id } })
  }

  rename(tx: Transaction, id: string, name: string): Promise<Organization> {
    return tx.organization.update({ where: { id }, data: { name } })
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.organization.delete({ where: { id } })
  }

  async members(id: string, tx: Transaction = this.database): Promise<Member[]> {
    const rows = await tx.membership.findMany({
      where: { organizationId: id },
      include: { user: { select: { email: true, displayName: true } } },
      orderBy: [{ joinedAt: 'asc' }, { userId: 'asc' }],
    })
    return rows.map(({ userId, roles, joinedAt, user }) => ({ userId, roles: roles as Role[], joinedAt, ...user }))
  }

  /** By user id. */
  async page(id: string, { after = '', limit }: { after?: string; limit: number }) {
    const rows = await this.database.membership.findMany({
      where: { organizationId: id, userId: { gt: after } },
      select: { userId: true, user: { select: { email: true, displayName: true } } },
      orderBy: { userId: 'asc' },
      take: limit,
    })
    return rows.map(({ userId, user }) => ({ userId, ...user }))
  }

  /** Whether the user was added: nobody is in two organizations. */
  async addMember(tx: Transaction, organizationId: string, { userId, roles, joinedAt }: Seat & { joinedAt: Date }): Promise<boolean> {
    const data = { userId, organizationId, roles: [...roles], joinedAt }
    return (await tx.membership.createMany({ data, skipDuplicates: true })).count === 1
  }

  async saveRoles(tx: Transaction, { userId, roles }: Seat): Promise<void> {
    await tx.membership.update({ where: { userId }, data: { roles: [...roles] } })
  }

  async removeMember(tx: Transaction, { userId }: Seat): Promise<void> {
    await tx.membership.delete({ where: { userId } })
  }
}
