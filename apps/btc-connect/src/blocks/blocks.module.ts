import { Module } from '@nestjs/common'
import { ReadingModule } from '../reading/reading.module.js'
import { BlocksController } from './blocks.controller.js'
import { BlocksRepository } from './blocks.repository.js'
import { BlocksService } from './blocks.service.js'
import { DaysService } from './days.service.js'
import { PoolsService } from './pools.service.js'

@Module({
  imports: [ReadingModule],
  controllers: [BlocksController],
  providers: [BlocksRepository, BlocksService, DaysService, PoolsService],
})
export class BlocksModule {}
