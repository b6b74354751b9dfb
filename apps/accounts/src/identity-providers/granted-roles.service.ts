import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import { GrantedMembershipsService } from '../organizations/granted-memberships.service.js'
import { type ExternalIdentity, grantedBy } from './external-identity.js'
import { GrantedRolesRepository } from './granted-roles.repository.js'
import type { ProviderSettings } from './provider-settings.js'

interface SignedInUser {
  readonly userId: string
  readonly provider: ProviderSettings
  readonly identity: ExternalIdentity
}

/** Keeps the memberships that identity providers grant as they say at each sign-in. */
@Injectable()
export class GrantedRolesService {
  constructor(
    private readonly grants: GrantedRolesRepository,
    private readonly memberships: GrantedMembershipsService,
  ) {}

  /** Takes back what a provider granted: it will not say any more who the user is. */
  async revoke(tx: AccountsTransaction, userId: string, provider: string, now: Date): Promise<void> {
    const held = await this.grants.find(tx, userId, provider)
    if (!held) return
    await this.memberships.sync(tx, held.organizationId, { userId, before: held.roles, granted: [] }, now)
    await this.grants.delete(tx, userId, provider)
  }

  async sync(tx: AccountsTransaction, { userId, provider, identity }: SignedInUser, now: Date): Promise<void> {
    const before = await this.grants.find(tx, userId, provider.id)
    // The configuration may name another organization than at the last sign-in, or none.
    if (before && before.organizationId !== provider.organization)
      await this.memberships.sync(tx, before.organizationId, { userId, before: before.roles, granted: [] }, now)
    const { organization: organizationId } = provider
    if (!organizationId) return this.grants.delete(tx, userId, provider.id)
    const held = before?.organizationId === organizationId ? before.roles : []
    const granted = grantedBy(provider, identity, held)
    const roles = await this.memberships.sync(tx, organizationId, { userId, before: held, granted }, now)
    await this.grants.save(tx, { userId, provider: provider.id, organizationId, roles })
  }
}
