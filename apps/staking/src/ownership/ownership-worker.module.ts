import { Module } from '@nestjs/common'
import { BillingAccountsConsumer } from './billing-accounts.consumer.js'
import { BillingAccountsJob } from './billing-accounts.job.js'
import { BillingNamesJob } from './billing-names.job.js'
import { OwnershipModule } from './ownership.module.js'
import { ValidatorHeirsConsumer } from './validator-heirs.consumer.js'

/** Keeps up with accounts; for workers. */
@Module({
  imports: [OwnershipModule],
  controllers: [BillingAccountsConsumer, ValidatorHeirsConsumer],
  providers: [BillingAccountsJob, BillingNamesJob],
})
export class OwnershipWorkerModule {}
