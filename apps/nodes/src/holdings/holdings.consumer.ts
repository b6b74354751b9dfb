import { Controller } from '@nestjs/common'
import { userDisabled } from '@trestle/contracts/accounts/messages'
import type { PayloadOf } from '@trestle/contracts/message'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { Holdings } from './holdings.service.js'

@Controller()
export class HoldingsConsumer {
  constructor(private readonly holdings: Holdings) {}

  @ConsumesBatch(userDisabled, { durable: 'disabled-users' })
  stop(payloads: PayloadOf<typeof userDisabled>[]): Promise<void> {
    return this.holdings.stopAllOf(payloads)
  }
}
