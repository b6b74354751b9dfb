import { Injectable } from '@nestjs/common'
import { Readiness } from '@trestle/runtime/readiness'
import { HeadFeed } from './head-feed.js'
import { refusalsIn } from './refusal.js'

/** Nothing is answered before a head is known. */
@Injectable()
export class HeadReadinessService {
  constructor(feed: HeadFeed, readiness: Readiness) {
    readiness.add('head', () => {
      if (feed.chain.head) return
      const refused = refusalsIn(feed.upstreams.values())
      throw new Error(refused ? `No head is known. ${refused}.` : 'No head is known.')
    })
  }
}
