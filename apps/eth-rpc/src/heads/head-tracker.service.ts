import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import type { EthRpcEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import type { UpstreamClient } from '../upstreams/upstream.client.js'
import { UpstreamClientsService } from '../upstreams/upstream-clients.service.js'
import { ChainFollower, type Followed } from './chain-follower.service.js'
import { type ChainChange, ChainView } from './chain-view.js'
import { FinalityWatch } from './finality.service.js'
import { type BlockLogs, HeadFeed, type UpstreamSight } from './head-feed.js'
import { HeadMetrics } from './head-metrics.service.js'
import { HeadSource } from './head-source.client.js'
import { bestHead, type Candidate, leadOf } from './lead.js'
import { type Listener, Listeners, type Unsubscribe } from './listeners.js'
import { LogFeed } from './log-feed.service.js'
import { PendingFeed } from './pending-feed.service.js'
import { Topic } from './topic.js'
import { UpstreamSights } from './upstream-sights.service.js'

export type HeadSettings = Pick<EthRpcEnv, 'CHAIN_ID' | 'POLL_MS' | 'MAX_LAG' | 'FINALITY_DEPTH'>

const FIRST_ELECTION_MS = 1_000
/** A lead that is behind the others for so long leads no more: it may hang, or have gone back. */
const LATE_MS = 2_000

/** Follows the chain of the lead, one of the upstreams, and watches the others. */
@Injectable()
export class HeadTracker extends HeadFeed implements OnApplicationBootstrap, OnModuleDestroy {
  readonly chain: ChainView
  readonly upstreams: ReadonlyMap<string, UpstreamSight>
  private readonly sources: readonly HeadSource[]
  private readonly sights: UpstreamSights
  private readonly finality: FinalityWatch
  private readonly follower: ChainFollower
  private readonly changes = new Listeners<ChainChange>()
  private readonly states = new Listeners<void>()
  private readonly pending: PendingFeed
  private readonly logFeed: LogFeed
  private readonly logTopic: Topic<BlockLogs>
  private readonly pendingTopic: Topic<readonly string[]>
  private readonly syncingListeners = new Listeners<unknown>()
  private readonly first = Promise.withResolvers<void>()
  private lead?: HeadSource
  private electionAt = 0
  private behindSince?: number
  private failing?: string
  private synchronizes: unknown = false

  constructor(
    @Inject(ENV) private readonly env: HeadSettings,
    clients: UpstreamClientsService,
    private readonly logger: Logger,
    private readonly metrics: HeadMetrics,
  ) {
    super()
    const { FINALITY_DEPTH: depth, MAX_LAG, POLL_MS: pollMs } = env
    const chain = ChainView.forFinalityAt(depth)
    const lead = () => this.lead
    this.chain = chain
    this.sources = clients.all.map((link) => this.sourceOf(link))
    this.sights = new UpstreamSights({ sources: this.sources, chain, lead, maxLag: MAX_LAG, onChange: () => this.states.tell() })
    this.upstreams = this.sights.all
    this.finality = new FinalityWatch({ chain, depth, lead, onChange: () => this.states.tell() })
    const now = () => performance.now()
    this.follower = new ChainFollower({ chain, lead, now, onChange: (change) => this.take(change), onFailure: this.failed })
    this.pending = new PendingFeed({ sources: () => this.bestFirst(), pollMs, onPending: (hashes) => this.pendingTopic.tell(hashes) })
    this.pendingTopic = new Topic((on) => (on ? this.pending.start() : this.pending.stop()))
    this.logFeed = new LogFeed({
      chain,
      nodes: () => this.bestFirst().map(({ node }) => node),
      onLogs: (logs) => this.logTopic.tell(logs),
      onLost: ({ number }) => {
        this.metrics.logsLost()
        this.logger.error({ number }, 'no upstream tells the logs of a block')
      },
    })
    this.logTopic = new Topic((on) => on || this.logFeed.stop())
  }

  onApplicationBootstrap(): void {
    this.electionAt = performance.now() + FIRST_ELECTION_MS
    for (const source of this.sources) source.start()
  }

  ready(): Promise<void> {
    return this.first.promise
  }

  onChange(listener: Listener<ChainChange>): Unsubscribe {
    return this.changes.add(listener)
  }

  /** What is known of the upstreams, or which blocks are final, has changed, and the chain has not. */
  onState(listener: Listener<void>): Unsubscribe {
    return this.states.add(listener)
  }

  onLogs(listener: Listener<BlockLogs>): Unsubscribe {
    return this.logTopic.listen(listener)
  }

  onPending(listener: Listener<readonly string[]>): Unsubscribe {
    return this.pendingTopic.listen(listener)
  }

  onSyncing(listener: Listener<unknown>): Unsubscribe {
    return this.syncingListeners.add(listener)
  }

  async onModuleDestroy(): Promise<void> {
    this.logTopic.stop()
    this.pendingTopic.stop()
    await Promise.all(this.sources.map((source) => source.stop()))
  }

  private sourceOf(link: UpstreamClient): HeadSource {
    const { CHAIN_ID: chainId, POLL_MS: pollMs } = this.env
    return new HeadSource({ config: link.config, link, chainId, pollMs, logger: this.logger, onChange: () => this.consider() })
  }

  /** An upstream has told something new. */
  private consider(): void {
    this.elect()
    if (this.sights.refresh()) this.states.tell()
    for (const { name, isOfWrongChain } of this.sources) this.metrics.seen(name, isOfWrongChain)
    this.considerSyncing()
    void this.follower.follow()
  }

  private elect(): void {
    const before = this.lead
    // It stays the lead for long: the best shall have had the time to answer.
    if (!before && performance.now() < this.electionAt && this.sources.some(({ wasTried }) => !wasTried)) return
    const candidates = this.sources.map(({ candidate }) => candidate)
    const best = bestHead(candidates)
    const isLate = this.isLate(before?.candidate, best)
    const wanted = { maxLag: this.env.MAX_LAG, head: isLate ? best : (this.chain.head?.number ?? 0) }
    const lead = leadOf(isLate ? undefined : before?.name, candidates, wanted)
    this.lead = this.sources.find(({ name }) => name === lead?.name)
    if (this.lead === before) return
    this.metrics.led(before?.name, this.lead?.name)
    const names = { lead: this.lead?.name, before: before?.name }
    if (this.lead) this.logger.info(names, 'an upstream leads')
    else this.logger.warn(names, 'no upstream leads')
  }

  private isLate(lead: Candidate | undefined, best: number): boolean {
    const now = performance.now()
    if (!lead || lead.head >= best) this.behindSince = undefined
    else this.behindSince ??= now
    return now - (this.behindSince ?? now) > LATE_MS
  }

  private considerSyncing(): void {
    const status = this.lead ? undefined : this.sources.find(({ syncing }) => syncing !== false)?.syncing
    const synchronizes = status === undefined ? false : { syncing: true, status }
    const changed = (synchronizes === false) !== (this.synchronizes === false)
    this.synchronizes = synchronizes
    if (changed) this.syncingListeners.tell(synchronizes)
  }

  private take(change: ChainChange): void {
    this.chain.apply(change)
    this.failing = undefined
    this.metrics.changed(change, this.chain.head)
    if (change.removed.length > 0)
      this.logger.info({ depth: change.removed.length, head: this.chain.head?.number }, 'blocks left the chain')
    // Whoever hears of a block may ask for it at once: who has it must be known before.
    this.sights.refresh()
    void this.finality.refresh().then(this.first.resolve)
    this.changes.tell(change)
    if (this.logTopic.isWanted) this.logFeed.take(change)
  }

  private readonly failed = ({ name }: Followed, error: unknown): void => {
    const { message } = error as Error
    if (message !== this.failing) this.logger.warn({ upstream: name, reason: message }, 'the chain cannot be followed')
    this.failing = message
  }

  /** Those that are on our chain, the lead first. */
  private bestFirst(): HeadSource[] {
    const agreeing = this.sources.filter(({ name, sound }) => sound && this.upstreams.get(name)?.agrees)
    return agreeing.sort((a, b) => Number(b === this.lead) - Number(a === this.lead))
  }
}
