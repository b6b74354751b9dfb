import { Module } from '@nestjs/common'
import { OrganizationsModule } from '../organizations/organizations.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { EventNamesRepository } from './event-names.repository.js'
import { EventsConsumer } from './events.consumer.js'
import { EventsController } from './events.controller.js'
import { EventsRepository } from './events.repository.js'
import { EventsService } from './events.service.js'
import { OrganizationEventsService } from './organization-events.service.js'

@Module({
  imports: [OrganizationsModule, SessionsModule],
  controllers: [EventsConsumer, EventsController],
  providers: [EventNamesRepository, EventsRepository, EventsService, OrganizationEventsService],
})
export class EventsModule {}
