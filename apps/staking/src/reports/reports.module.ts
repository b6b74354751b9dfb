import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { RewardsModule } from '../rewards/rewards.module.js'
import { ValidatorsModule } from '../validators/validators.module.js'
import { BillingService } from './billing.service.js'
import { BillingSettingsService } from './billing-settings.service.js'
import { ReportsController } from './reports.controller.js'
import { ReportsRepository } from './reports.repository.js'
import { ValidatorsReportService } from './validators-report.service.js'

/** Reports about validators and their earnings. */
@Module({
  imports: [ChainsModule, RewardsModule, ValidatorsModule],
  controllers: [ReportsController],
  providers: [BillingService, BillingSettingsService, ReportsRepository, ValidatorsReportService],
})
export class ReportsModule {}
