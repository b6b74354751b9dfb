import { Module } from '@nestjs/common'
import { ReadingModule } from '../reading/reading.module.js'
import { ChainEventsRepository } from './chain-events.repository.js'
import { ChainEventsService } from './chain-events.service.js'
import { EventStreamsController } from './event-streams.controller.js'
import { EventStreamsService } from './event-streams.service.js'
import { Feed } from './feed.engine.js'
import { FeedJob } from './feed.job.js'
import { NotificationsRepository } from './notifications.repository.js'
import { StreamRegistry } from './stream-registry.engine.js'

@Module({
  imports: [ReadingModule],
  controllers: [EventStreamsController],
  providers: [EventStreamsService, Feed, FeedJob, ChainEventsService, ChainEventsRepository, StreamRegistry, NotificationsRepository],
})
export class PushModule {}
