import { Module } from '@nestjs/common'
import { ReadingModule } from '../reading/reading.module.js'
import { EventsController } from './events.controller.js'
import { EventsService } from './events.service.js'
import { FeedJob } from './feed.job.js'
import { Feed } from './feed.service.js'
import { NewsRepository } from './news.repository.js'
import { News } from './news.service.js'
import { Streams } from './streams.service.js'
import { WakeUps } from './wake-ups.repository.js'

@Module({
  imports: [ReadingModule],
  controllers: [EventsController],
  providers: [EventsService, Feed, FeedJob, News, NewsRepository, Streams, WakeUps],
})
export class PushModule {}
