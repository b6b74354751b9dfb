import { Module } from '@nestjs/common'
import { SessionsModule } from '../sessions/sessions.module.js'
import { EventsConsumer } from './events.consumer.js'
import { EventsController } from './events.controller.js'
import { EventsRepository } from './events.repository.js'
import { EventsService } from './events.service.js'

@Module({
  imports: [SessionsModule],
  controllers: [EventsConsumer, EventsController],
  providers: [EventsRepository, EventsService],
})
export class EventsModule {}
