import { Module } from '@nestjs/common'
import { BillingAccountsRepository } from './billing-accounts.repository.js'
import { BillingAccountsService } from './billing-accounts.service.js'
import { BillingNamesRepository } from './billing-names.repository.js'
import { BillingNamesService } from './billing-names.service.js'

/** Whose days are whose. */
@Module({
  providers: [BillingAccountsRepository, BillingAccountsService, BillingNamesRepository, BillingNamesService],
  exports: [BillingAccountsService, BillingNamesService],
})
export class OwnershipModule {}
