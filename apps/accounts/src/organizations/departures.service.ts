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

  /** Leaves every organization of the preview; one without other members is dissolved. Throws where that is not what the preview said. */
  async leaveAll(tx: AccountsTransaction, userId: string, previewed: readonly Departure[], now: Date): Promise<void> {
    const inOrder = previewed.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (const { id: organizationId, effect } of inOrder) {
      const roster = await this.organizations.lockRoster(tx, organizationId)
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
