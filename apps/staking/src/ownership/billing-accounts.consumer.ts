import { Controller } from '@nestjs/common'
import { type Membership, membershipChanged } from '@trestle/contracts/accounts/messages'
import { ConsumesBatch } from '@trestle/messaging/consumes'
import { BillingAccountsService } from './billing-accounts.service.js'

@Controller()
export class BillingAccountsConsumer {
  constructor(private readonly accounts: BillingAccountsService) {}

  /** An event that comes twice changes nothing the second time: versions only rise. */
  @ConsumesBatch(membershipChanged, { durable: 'memberships' })
  record(memberships: Membership[]): Promise<void> {
    return this.accounts.record(memberships)
  }
}
