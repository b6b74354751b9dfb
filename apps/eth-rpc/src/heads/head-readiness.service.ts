import { Injectable } from '@nestjs/common'
import { Readiness } from '@trestle/runtime/readiness'
import { HeadFeed } from './head-feed.js'

/** Nothing is answered before a head is known. */
@Injectable()
export class HeadReadinessService {
  constructor(feed: HeadFeed, readiness: Readiness) {
    readiness.add('head', () => {
      if (!feed.chain.head) throw new Error('No head is known.')
    })
  }
}
