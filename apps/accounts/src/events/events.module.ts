import { Module } from '@nestjs/common'
import { EventsConsumer } from './events.consumer.js'
import { EventsController } from './events.controller.js'
import { EventsRepository } from './events.repository.js'
import { EventsService } from './events.service.js'
import { PartitionsJob } from './partitions.job.js'
import { PartitionsRepository } from './partitions.repository.js'

@Module({
  controllers: [EventsConsumer, EventsController],
  providers: [EventsRepository, EventsService, PartitionsJob, PartitionsRepository],
})
export class EventsModule {}
