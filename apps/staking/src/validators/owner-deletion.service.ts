import { Injectable } from '@nestjs/common'
import type { countResources, DeletionEffect } from '@trestle/contracts/accounts/messages'
import type { ReplyOf } from '@trestle/contracts/message'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import type { ValidatorPhase } from '@trestle/contracts/staking/validators'
import { Clock } from '@trestle/runtime/clock'
import { OwnerDeletionRepository } from './owner-deletion.repository.js'
import { phaseOf } from './validator.js'

/** Somebody must be there to end what stakes; bills and the ledger keep what has staked. */
const EFFECTS: Record<ValidatorPhase, DeletionEffect> = {
  created: 'deleted',
  ready: 'deleted',
  deposited: 'blocks',
  queued: 'blocks',
  active: 'blocks',
  exiting: 'blocks',
  exited: 'kept',
  withdrawn: 'kept',
  spoiled: 'deleted',
}

/** The validators of users whose accounts are, or may be, deleted. */
@Injectable()
export class OwnerDeletionService {
  constructor(
    private readonly owners: OwnerDeletionRepository,
    private readonly clock: Clock,
  ) {}

  /** A validator that was deposited for since the account was closed stays: to stop it would cost its stake. */
  removeValidators(userIds: readonly string[]): Promise<void> {
    return this.owners.removeAllOf(userIds.map(personalOrganizationOf), this.clock.now())
  }

  async count(organizationIds: readonly string[]): Promise<ReplyOf<typeof countResources>> {
    const [present, removed] = await Promise.all([this.owners.list(organizationIds), this.owners.countRemoved(organizationIds)])
    const resources = [...Map.groupBy(present, phaseOf)].map(([state, { length: count }]) => ({
      state: String(state),
      count,
      effect: EFFECTS[state],
    }))
    if (removed > 0) resources.push({ state: 'removed', count: removed, effect: 'kept' })
    return { resources: resources.map((each) => ({ kind: 'validator', ...each })) }
  }
}
