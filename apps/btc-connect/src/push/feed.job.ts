import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Feed } from './feed.service.js'

@Injectable()
export class FeedJob implements OnApplicationBootstrap {
  constructor(
    private readonly feed: Feed,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    const stop = new AbortController()
    const running = this.feed.run(stop.signal)
    this.lifecycle.onDrain(() => {
      stop.abort()
      return running
    })
  }
}
