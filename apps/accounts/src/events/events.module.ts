import { Module } from '@nestjs/common'
import { EventsConsumer } from './events.consumer.js'
import { EventsController } from './events.controller.js'
import { EventsRepository } from './events.repository.js'
import { EventsService } from './events.service.js'

@Module({
  controllers: [EventsConsumer, EventsController],
  providers: [EventsRepository, EventsService],
})
export class EventsModule {}
