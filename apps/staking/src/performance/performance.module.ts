import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { RewardsModule } from '../rewards/rewards.module.js'
import { ValidatorsModule } from '../validators/validators.module.js'
import { PerformanceController } from './performance.controller.js'
import { PerformanceService } from './performance.service.js'

/** The performance of validators and chains. */
@Module({
  imports: [ChainsModule, RewardsModule, ValidatorsModule],
  controllers: [PerformanceController],
  providers: [PerformanceService],
})
export class PerformanceModule {}
