import { Readable } from 'node:stream'
import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { chainEvents } from '@trestle/contracts/btc-connect/events'
import type { Input } from '@trestle/contracts/endpoint'
import type { FastifyRequest } from 'fastify'
import { RULES } from '../settings.module.js'
import { Feed } from './feed.engine.js'
import { parseSubscription } from './subscription.js'

@Injectable()
export class EventStreamsService {
  constructor(
    private readonly feed: Feed,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  async open(userId: string, asked: Input<typeof chainEvents.stream>['query'], request: FastifyRequest): Promise<Readable> {
    const subscription = parseSubscription(asked, this.rules)
    // The response to a HEAD request has to end.
    if (request.method === 'HEAD') return Readable.from([])
    const lastEventId = request.headers['last-event-id']
    return this.feed.join({ userId, subscription, bearer: request, lastEventId: String(lastEventId ?? '') })
  }
}
