import { Controller } from '@nestjs/common'
import { userDisabled } from '@trestle/contracts/accounts/messages'
import type { PayloadOf } from '@trestle/contracts/message'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { DisabledOwnersService } from './disabled-owners.service.js'

@Controller()
export class WorkloadsConsumer {
  constructor(private readonly owners: DisabledOwnersService) {}

  @ConsumesBatch(userDisabled, { durable: 'disabled-users' })
  stop(payloads: PayloadOf<typeof userDisabled>[]): Promise<void> {
    return this.owners.stopWorkloads(payloads)
  }
}
