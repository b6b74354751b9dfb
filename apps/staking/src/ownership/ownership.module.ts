import { Module } from '@nestjs/common'
import { BillingAccountsRepository } from './billing-accounts.repository.js'
import { BillingAccountsService } from './billing-accounts.service.js'
import { BillingNamesRepository } from './billing-names.repository.js'
import { BillingNamesService } from './billing-names.service.js'
import { ValidatorOwnersRepository } from './validator-owners.repository.js'
import { ValidatorOwnersService } from './validator-owners.service.js'

/** Whose days are whose. */
@Module({
  providers: [
    BillingAccountsRepository,
    BillingAccountsService,
    BillingNamesRepository,
    BillingNamesService,
    ValidatorOwnersRepository,
    ValidatorOwnersService,
  ],
  exports: [BillingAccountsService, BillingNamesService, ValidatorOwnersService],
})
export class OwnershipModule {}
