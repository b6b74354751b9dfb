import { Injectable } from '@nestjs/common'
import type { OrganizationPolicy } from '@trestle/contracts/accounts/policies'
import { APPROVABLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import { permissionsOfRoles, roleDefinitions } from '../memberships/role.js'
import type { MemberRecord, OrganizationRecord, OwnOrganization, Roster } from './organization.js'

/** Of former members a row without roles remains. */
const CURRENT = { NOT: { roles: { isEmpty: true } } }
const IN_ORDER = [{ joinedAt: 'asc' }, { organizationId: 'asc' }] as const

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** Locks an organization until the transaction ends and lists its members: none if it does not exist. */
  async lockRoster(tx: AccountsTransaction, id: string): Promise<Roster<MemberRecord>> {
    await tx.$executeRaw`SELECT 1 FROM organization WHERE id = ${id} FOR UPDATE`
    return this.readRoster(id, tx)
  }

  async readRoster(id: string, tx: AccountsTransaction = this.database): Promise<Roster<MemberRecord>> {
    const rows = await tx.member.findMany({
      where: { organizationId: id, ...CURRENT },
      include: { user: { select: { email: true, displayName: true, serviceAccountOf: true } } },
      orderBy: [{ joinedAt: 'asc' }, { userId: 'asc' }],
    })
    const members = rows.map(({ userId, roles, joinedAt, user: { serviceAccountOf, ...user } }) => {
      return { userId, roles, joinedAt, ...user, serviceAccount: serviceAccountOf !== null }
    })
    const own = await tx.role.findMany({ where: { organizationId: id }, orderBy: { name: 'asc' } })
    return { members, definitions: roleDefinitions(own) }
  }

  /** What an organization that is known to exist demands of its members. */
  async readPolicy(id: string, tx: AccountsTransaction = this.database): Promise<OrganizationPolicy> {
    return fromRow(await tx.organization.findUniqueOrThrow({ where: { id }, select: { requireSecondFactor: true, approvals: true } }))
  }

  async updatePolicy(tx: AccountsTransaction, id: string, { requireSecondFactor, approvals }: OrganizationPolicy): Promise<void> {
    await tx.organization.update({ where: { id }, data: { requireSecondFactor, approvals } })
  }

  async insert(tx: AccountsTransaction, organization: OrganizationRecord): Promise<void> {
    await tx.organization.create({ data: organization })
  }

  /** The organizations of a user, in the order in which they joined them. */
  async listByUser(userId: string, tx: AccountsTransaction = this.database): Promise<OwnOrganization[]> {
    const memberships = await tx.member.findMany({ where: { userId, ...CURRENT }, orderBy: [...IN_ORDER] })
    const ids = memberships.map(({ organizationId }) => organizationId)
    const rows = await tx.organization.findMany({ where: { id: { in: ids } }, include: { roles: true } })
    const byId = new Map(rows.map((row) => [row.id, row]))
    return memberships.flatMap(({ organizationId, roles }) => {
      const row = byId.get(organizationId)
      if (!row) return []
      const { roles: own, ...organization } = row
      return [{ ...organization, roles, permissions: permissionsOfRoles(roles, roleDefinitions(own)) }]
    })
  }

  /** An organization that is known to exist. */
  get(id: string, tx: AccountsTransaction = this.database): Promise<OrganizationRecord> {
    return tx.organization.findUniqueOrThrow({ where: { id } })
  }

  updateName(tx: AccountsTransaction, id: string, name: string): Promise<OrganizationRecord> {
    return tx.organization.update({ where: { id }, data: { name } })
  }

  async delete(tx: AccountsTransaction, id: string): Promise<void> {
    await tx.organization.delete({ where: { id } })
  }

  /** A page of members in the order of their user ids. */
  async listMembersAfter(id: string, { after = '', limit }: { after?: string; limit: number }) {
    const rows = await this.database.member.findMany({
      where: { organizationId: id, userId: { gt: after }, ...CURRENT },
      select: { userId: true, user: { select: { email: true, displayName: true } } },
      orderBy: { userId: 'asc' },
      take: limit,
    })
    return rows.map(({ userId, user }) => ({ userId, ...user }))
  }

  /** Who has an account, for what is said about their personal organization. */
  getUser(id: string): Promise<{ id: string; email: string; displayName: string; createdAt: Date }> {
    return this.database.user.findUniqueOrThrow({ where: { id }, select: { id: true, email: true, displayName: true, createdAt: true } })
  }

  /** Those that exist, with their names. */
  async listNames(ids: readonly string[]): Promise<{ organizationId: string; name: string }[]> {
    const rows = await this.database.organization.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } })
    return rows.map(({ id, name }) => ({ organizationId: id, name }))
  }

  describeUsers(ids: readonly string[]): Promise<{ userId: string; email: string; displayName: string }[]> {
    return this.database.$queryRaw`SELECT id AS "userId", email, display_name AS "displayName" FROM "user" WHERE id = ANY(${[...ids]})`
  }
}

/** A permission that can no longer be approved needs no approval. */
function fromRow({ requireSecondFactor, approvals }: { requireSecondFactor: boolean; approvals: string[] }): OrganizationPolicy {
  return { requireSecondFactor, approvals: APPROVABLE_PERMISSIONS.filter((permission) => approvals.includes(permission)) }
}
