import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { Feed } from './feed.engine.js'

@Injectable()
export class FeedJob implements OnApplicationBootstrap {
  constructor(
    private readonly feed: Feed,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.run((signal) => this.feed.run(signal))
  }
}
