import { Controller } from '@nestjs/common'
import type { Dissolution } from '@trestle/auth/dissolved-organizations'
import { countResources, organizationDissolved, userDeleted, userDisabled } from '@trestle/contracts/accounts/messages'
import type { PayloadOf, ReplyOf, RequestOf } from '@trestle/contracts/message'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { DeletedOwnersService } from './deleted-owners.service.js'
import { WorkloadOwnersService } from './workload-owners.service.js'

@Controller()
export class WorkloadsConsumer {
  constructor(
    private readonly owners: WorkloadOwnersService,
    private readonly deletions: DeletedOwnersService,
  ) {}

  @ConsumesBatch(userDisabled, { durable: 'disabled-users' })
  stop(payloads: PayloadOf<typeof userDisabled>[]): Promise<void> {
    return this.owners.stopWorkloads(payloads)
  }

  @ConsumesBatch(organizationDissolved, { durable: 'dissolved-organizations' })
  inherit(dissolutions: Dissolution[]): Promise<void> {
    return this.owners.inherit(dissolutions)
  }

  @ConsumesBatch(userDeleted, { durable: 'deleted-users' })
  remove(payloads: PayloadOf<typeof userDeleted>[]): Promise<void> {
    return this.deletions.purgeWorkloads(payloads.map(({ userId }) => userId))
  }

  @RepliesTo(countResources)
  count({ organizationIds }: RequestOf<typeof countResources>): Promise<ReplyOf<typeof countResources>> {
    return this.deletions.count(organizationIds)
  }
}
