import { Injectable } from '@nestjs/common'
import { missingRole } from '@trestle/auth/auth-problems'
import { Authorization } from '@trestle/auth/authorization'
import { Memberships } from '@trestle/auth/memberships'
import type { Caller } from '@trestle/contracts/caller'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { BillingAccountsService } from '../ownership/billing-accounts.service.js'

/** The roles that the contract names. */
const BILLING_ROLES = ['auditor', 'billing'] as const

/** Who may read which bill. */
@Injectable()
export class BillingReadersService {
  constructor(
    private readonly accounts: BillingAccountsService,
    private readonly memberships: Memberships,
    private readonly authorization: Authorization,
  ) {}

  /** The organization whose bill a request is about: the chosen one, or that on whose bill is the caller's own. Throws Problem `MissingRole`. */
  async organizationOf(caller: Caller): Promise<string> {
    const { userId, organizationId: chosen } = caller
    const organizationId = chosen === personalOrganizationOf(userId) ? await this.accounts.findBilled(chosen) : chosen
    if (organizationId === undefined) throw missingRole(BILLING_ROLES)
    this.require(caller, organizationId)
    return organizationId
  }

  /** Throws Problem `MissingRole`. */
  require(caller: Caller, organizationId: string): void {
    this.authorization.requireFactor(caller, organizationId)
    if (!this.memberships.permissionsOf(caller.userId, organizationId)?.has('billing:read')) throw missingRole(BILLING_ROLES)
  }
}
