import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import type { AccountsTransaction } from '../database.module.js'
import { MembershipsService } from '../memberships/memberships.service.js'
import { hasRoom, regranted } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'

interface Grant {
  readonly userId: string
  readonly before: readonly string[]
  readonly granted: readonly string[]
}

/** Memberships and roles that identity providers grant. */
@Injectable()
export class GrantedMembershipsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly memberships: MembershipsService,
  ) {}

  /**
   * Gives a user the roles that an identity provider grants now, and takes back those it granted before; roles that were given by hand stay, and so
   * does the last owner. Returns those that the user has by the provider alone.
   */
  async sync(tx: AccountsTransaction, organizationId: string, { userId, ...grant }: Grant, now: Date): Promise<readonly string[]> {
    const roster = await this.organizations.lockRoster(tx, organizationId)
    const seat = roster.members.find((member) => member.userId === userId)
    const { roles, byProvider } = regranted(roster, seat ?? { userId, roles: [] }, grant)
    const membership = { userId, organizationId, roles }
    if (!seat) return roles.length > 0 && hasRoom(roster) && (await this.add(tx, membership, now)) ? byProvider : []
    // A sign-in that changes nothing publishes nothing.
    if (roles.length !== seat.roles.length || roles.some((role) => !seat.roles.includes(role)))
      await this.memberships.changeRoles(tx, membership, now)
    return byProvider
  }

  /** Who is in too many organizations can sign in none the less. */
  private async add(tx: AccountsTransaction, membership: Parameters<MembershipsService['add']>[1], now: Date): Promise<boolean> {
    try {
      await this.memberships.add(tx, membership, now)
      return true
    } catch (error) {
      if (error instanceof Problem && error.code === 'LimitExceeded') return false
      throw error
    }
  }
}
