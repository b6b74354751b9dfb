import { Injectable } from '@nestjs/common'
import { HeadFeed } from '../heads/head-feed.js'
import { chooseUpstream, type Wanted } from './choice.js'
import { Upstream } from './upstream.service.js'
import { UpstreamClients } from './upstream-clients.service.js'
import { UpstreamMetrics } from './upstream-metrics.service.js'

/** All upstreams, and which of them is to be asked. */
@Injectable()
export class Fleet {
  readonly upstreams: readonly Upstream[]

  constructor(
    clients: UpstreamClients,
    private readonly feed: HeadFeed,
    readonly metrics: UpstreamMetrics,
  ) {
    this.upstreams = clients.all.map((client) => new Upstream(client, metrics.of(client.config.name)))
    metrics.watch(this.upstreams, ({ config }) => feed.upstreams.get(config.name))
  }

  /** Undefined where nobody is left who could answer. */
  choose(wanted: Wanted, tried: readonly Upstream[]): Upstream | undefined {
    const choosing = { candidates: this.upstreams, sights: this.feed.upstreams, now: performance.now(), random: Math.random }
    return chooseUpstream(choosing, wanted, tried)
  }

  /** Somebody else is there, if not yet with the block that is wanted. */
  hasOthers(tried: readonly Upstream[]): boolean {
    const now = performance.now()
    const isThere = ({ config, health }: Upstream) => this.feed.upstreams.get(config.name)?.usable && !health.isResting(now)
    return this.upstreams.some((upstream) => !tried.includes(upstream) && isThere(upstream))
  }
}
