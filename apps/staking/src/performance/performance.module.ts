import { Module } from '@nestjs/common'
import { ChainsModule } from '../chains/chains.module.js'
import { RewardsModule } from '../rewards/rewards.module.js'
import { PerformanceController } from './performance.controller.js'
import { PerformanceRepository } from './performance.repository.js'
import { PerformanceService } from './performance.service.js'

/** The performance of validators and chains. */
@Module({
  imports: [ChainsModule, RewardsModule],
  controllers: [PerformanceController],
  providers: [PerformanceRepository, PerformanceService],
})
export class PerformanceModule {}
