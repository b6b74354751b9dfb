import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { OwnershipModule } from '../ownership/ownership.module.js'
import { RewardsModule } from '../rewards/rewards.module.js'
import { ValidatorsModule } from '../validators/validators.module.js'
import { BillingService } from './billing.service.js'
import { BillingEntriesService } from './billing-entries.service.js'
import { BillingReadersService } from './billing-readers.service.js'
import { BillingSettingsService } from './billing-settings.service.js'
import { ReportsController } from './reports.controller.js'
import { ReportsRepository } from './reports.repository.js'
import { ValidatorsReportService } from './validators-report.service.js'

/** Reports about validators and their earnings. */
@Module({
  imports: [ChainsModule, OwnershipModule, RewardsModule, ValidatorsModule],
  controllers: [ReportsController],
  providers: [
    BillingEntriesService,
    BillingReadersService,
    BillingService,
    BillingSettingsService,
    ReportsRepository,
    ValidatorsReportService,
  ],
})
export class ReportsModule {}
