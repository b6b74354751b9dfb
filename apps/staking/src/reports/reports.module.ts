import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { RewardsModule } from '../rewards/rewards.module.js'
import { ValidatorsModule } from '../validators/validators.module.js'
import { BillingReports } from './billing.service.js'
import { BillingSettings } from './billing-settings.service.js'
import { EarnedFigures } from './earned-figures.service.js'
import { ReportsController } from './reports.controller.js'
import { ReportsRepository } from './reports.repository.js'
import { ValidatorsReport } from './validators-report.service.js'

/** Tables of what validators are and have earned. */
@Module({
  imports: [ChainsModule, RewardsModule, ValidatorsModule],
  controllers: [ReportsController],
  providers: [BillingReports, BillingSettings, EarnedFigures, ReportsRepository, ValidatorsReport],
})
export class ReportsModule {}
