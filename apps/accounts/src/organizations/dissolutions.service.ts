import { Injectable } from '@nestjs/common'
import { KeyEndingsService } from '../client-keys/key-endings.service.js'
import type { AccountsTransaction } from '../database.module.js'
import { MembershipsService } from '../memberships/memberships.service.js'
import type { Roster } from './organization.js'
import { OrganizationsRepository } from './organizations.repository.js'

interface Dissolution {
  readonly organizationId: string
  /** The last member, to whom everything goes. */
  readonly userId: string
  readonly roster: Roster
}

/** Ends organizations, with their service accounts and keys. */
@Injectable()
export class DissolutionsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly memberships: MembershipsService,
    private readonly keys: KeyEndingsService,
  ) {}

  /** The organization is locked, and may be dissolved. */
  async dissolve(tx: AccountsTransaction, { organizationId, userId, roster }: Dissolution, now: Date): Promise<void> {
    for (const { userId: id } of roster.members) await this.memberships.end(tx, { userId: id, organizationId }, now)
    await this.memberships.dissolve(tx, { userId, organizationId }, now)
    await this.keys.endAll(tx, { organizationId }, now)
    await this.organizations.delete(tx, organizationId)
  }
}
