import { Controller } from '@nestjs/common'
import { countResources, userDeleted } from '@trestle/contracts/accounts/messages'
import type { PayloadOf, ReplyOf, RequestOf } from '@trestle/contracts/message'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { RepliesTo } from '@trestle/messaging/replies-to'
import { OwnerDeletionService } from './owner-deletion.service.js'

@Controller()
export class ValidatorsConsumer {
  constructor(private readonly owners: OwnerDeletionService) {}

  @ConsumesBatch(userDeleted, { durable: 'deleted-users' })
  remove(payloads: PayloadOf<typeof userDeleted>[]): Promise<void> {
    return this.owners.removeValidators(payloads.map(({ userId }) => userId))
  }

  @RepliesTo(countResources)
  count({ organizationIds }: RequestOf<typeof countResources>): Promise<ReplyOf<typeof countResources>> {
    return this.owners.count(organizationIds)
  }
}
