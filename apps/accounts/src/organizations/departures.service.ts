import { Injectable } from '@nestjs/common'
import type { DeletionEffect } from '@trestle/contracts/accounts/messages'
import type { AccountsTransaction } from '../database.module.js'
import { MembershipsService } from '../memberships/memberships.service.js'
import { DissolutionsService } from './dissolutions.service.js'
import { departureOf, lastOwner, seatOf } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'

interface Departure {
  readonly id: string
  readonly name: string
  /** Of the organization, when the member's account is deleted. */
  readonly effect: DeletionEffect
}

/** What becomes of organizations whose members delete their accounts. */
@Injectable()
export class DeparturesService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly memberships: MembershipsService,
    private readonly dissolutions: DissolutionsService,
  ) {}

  async preview(userId: string): Promise<Departure[]> {
    const shared = await this.organizations.listByUser(userId)
    return Promise.all(
      shared.map(async ({ id, name }) => {
        const roster = await this.organizations.readRoster(id)
        return { id, name, effect: departureOf(seatOf(userId, roster), roster) }
      }),
    )
  }

  /** Locks organizations, as whatever changes members does before it locks a user. */
  async lock(tx: AccountsTransaction, departures: readonly Departure[]): Promise<void> {
    for (const { id } of departures.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await this.organizations.lockRoster(tx, id)
  }

  /**
   * Leaves every organization; one without other members is dissolved. Throws where that is not what the preview said. The user is locked, so
   * that no membership is added, and so are the organizations of the preview.
   */
  async leaveAll(tx: AccountsTransaction, userId: string, previewed: readonly Departure[], now: Date): Promise<void> {
    const joined = await this.organizations.listByUser(userId, tx)
    if (joined.some(({ id }) => !previewed.some((each) => each.id === id))) throw new Error('the user has joined an organization')
    for (const { id: organizationId, effect } of previewed) {
      const roster = await this.organizations.readRoster(organizationId, tx)
      const seat = roster.members.find((member) => member.userId === userId)
      if (!seat) continue
      const actual = departureOf(seat, roster)
      if (actual === 'blocks') throw lastOwner()
      // What an organization owns is counted only where it is to be deleted.
      if (actual !== effect) throw new Error('the members of an organization have changed')
      if (actual === 'deleted') await this.dissolutions.dissolve(tx, { organizationId, userId, roster }, now)
      else await this.memberships.end(tx, { userId, organizationId }, now)
    }
  }
}
