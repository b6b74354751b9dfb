import { Injectable } from '@nestjs/common'
import type { countResources } from '@trestle/contracts/accounts/messages'
import type { ReplyOf } from '@trestle/contracts/message'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { Clock } from '@trestle/runtime/clock'
import { DeletedOwnersRepository } from './deleted-owners.repository.js'

/** What users own whose accounts are, or may be, deleted. */
@Injectable()
export class DeletedOwnersService {
  constructor(
    private readonly repository: DeletedOwnersRepository,
    private readonly clock: Clock,
  ) {}

  /** With all data, and what is in the bin: the owner asked for it, and had days to cancel. */
  purgeWorkloads(userIds: readonly string[]): Promise<void> {
    return this.repository.purgeAll(userIds.map(personalOrganizationOf), this.clock.now())
  }

  async count(organizationIds: readonly string[]): Promise<ReplyOf<typeof countResources>> {
    const counts = await this.repository.countByState(organizationIds, this.clock.now())
    return { resources: counts.map((each) => ({ ...each, effect: 'deleted' as const })) }
  }
}
