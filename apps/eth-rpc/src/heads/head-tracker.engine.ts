import { setTimeout as delay } from 'node:timers/promises'
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import type { EthRpcEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import type { UpstreamClient } from '../upstreams/upstream.client.js'
import { UpstreamClientsService } from '../upstreams/upstream-clients.service.js'
import type { UpstreamConfig } from '../upstreams/upstream-config.js'
import { ChainFollower, type FollowedUpstream } from './chain-follower.engine.js'
import { FinalityWatch } from './finality-watch.engine.js'
import { type ChainChange, FollowedChain } from './followed-chain.js'
import { HeadClaims } from './head-claims.engine.js'
import { type BlockLogs, HeadFeed, type UpstreamStatus } from './head-feed.js'
import { HeadMetricsService } from './head-metrics.service.js'
import { HeadSource } from './head-source.engine.js'
import { HeaderCheck } from './header-check.engine.js'
import { type Listener, Listeners, type Unsubscribe } from './listeners.js'
import { LogFeed } from './log-feed.engine.js'
import { OnDemandTopic } from './on-demand-topic.engine.js'
import { PendingFeed } from './pending-feed.engine.js'
import { bestHead, choosePrimary, type PrimaryCandidate } from './primary-upstream.js'
import { RefusalLog } from './refusal-log.engine.js'
import { voicesOf } from './service-state.js'
import { UpstreamStatuses } from './upstream-statuses.engine.js'

export type HeadSettings = Pick<EthRpcEnv, 'CHAIN_ID' | 'POLL_MS' | 'MAX_LAG' | 'RULES' | 'PACE'>

/** As long as upstreams that are new may take to show their head. */
const MAX_PREPARATION_MS = 3_000
const PREPARATION_CHECK_MS = 20
const FIRST_ELECTION_MS = 1_000
/** A primary upstream that lags for so long is replaced: it may hang, or have been set back. */
const MAX_LAG_MS = 2_000
/** The same, while callers wait for a block that others have. */
const MAX_AWAITED_MS = 300

/** Follows the chain of the primary upstream, and watches the others. */
@Injectable()
export class HeadTracker extends HeadFeed implements OnApplicationBootstrap, OnModuleDestroy {
  readonly chain: FollowedChain
  readonly upstreams: ReadonlyMap<string, UpstreamStatus>
  private readonly sources: HeadSource[]
  /** Those of clients that are not in use yet. */
  private prepared: HeadSource[] = []
  private readonly headers: HeaderCheck
  private readonly claims: HeadClaims
  private readonly statuses: UpstreamStatuses
  private readonly finality: FinalityWatch
  private readonly follower: ChainFollower
  private readonly changes = new Listeners<ChainChange>()
  private readonly states = new Listeners<void>()
  private readonly configs = new Listeners<readonly UpstreamConfig[]>()
  private readonly pending: PendingFeed
  private readonly logFeed: LogFeed
  private readonly logTopic: OnDemandTopic<BlockLogs>
  private readonly pendingTopic: OnDemandTopic<readonly string[]>
  private readonly syncingListeners = new Listeners<unknown>()
  private readonly first = Promise.withResolvers<void>()
  private primary?: HeadSource
  private electionAt = 0
  private laggingSince?: number
  private failing?: string
  /** A block that callers wait for. */
  private awaited = { number: -1, since: 0 }
  private isStopped = false
  private synchronizes: unknown = false
  private readonly refusals: RefusalLog

  constructor(
    @Inject(ENV) private readonly env: HeadSettings,
    private readonly clients: UpstreamClientsService,
    private readonly logger: Logger,
    private readonly metrics: HeadMetricsService,
  ) {
    super()
    const { RULES: rules, MAX_LAG: maxLag, POLL_MS: pollMs, PACE: pace } = env
    const chain = FollowedChain.of(rules)
    const nodes = () => this.bestFirst().map(({ node }) => node)
    const primary = () => this.primary
    this.chain = chain
    this.headers = new HeaderCheck(rules.headerHash)
    this.refusals = new RefusalLog(logger, metrics)
    this.sources = clients.all.map((link) => this.sourceOf(link))
    const { sources } = this
    this.claims = new HeadClaims({ sources, chain, pace, onChange: () => this.consider() })
    this.statuses = new UpstreamStatuses({ sources, claims: this.claims, chain, primary, maxLag, onChange: () => this.states.notify() })
    this.upstreams = this.statuses.all
    this.finality = new FinalityWatch({
      chain,
      finality: rules.finality,
      nodes,
      onChange: () => {
        metrics.finalityChanged(chain)
        this.states.notify()
      },
    })
    this.follower = new ChainFollower({
      chain,
      // Only to a head that counts.
      primary: () => (this.primary && (!chain.head || this.claims.verdictOf(this.primary.name) === 'counts') ? this.primary : undefined),
      others: () => sources.filter((source) => source !== this.primary && source.isHealthy),
      start: () => this.claims.start()?.block,
      isLinked: ({ name }) => this.claims.isLinked(name),
      now: () => performance.now(),
      onChange: (change) => this.take(change),
      onFailure: this.failed,
    })
    this.pending = new PendingFeed({ sources: () => this.bestFirst(), pollMs, onPending: (hashes) => this.pendingTopic.notify(hashes) })
    this.pendingTopic = new OnDemandTopic((on) => (on ? this.pending.start() : this.pending.stop()))
    this.logFeed = new LogFeed({
      chain,
      nodes,
      voices: () => voicesOf(this.upstreams.values()),
      onLogs: (logs) => this.logTopic.notify(logs),
      onLost: ({ number }) => {
        this.metrics.logsLost()
        this.logger.error({ number }, 'no upstream gives the logs of a block')
      },
    })
    this.logTopic = new OnDemandTopic((on) => on || this.logFeed.stop())
  }

  onApplicationBootstrap(): void {
    this.electionAt = performance.now() + FIRST_ELECTION_MS
    for (const source of this.sources) source.start()
  }

  ready(): Promise<void> {
    return this.first.promise
  }

  /** Watches those that are new, before they are used; settles once each has answered or failed. */
  async prepare(clients: readonly UpstreamClient[]): Promise<void> {
    const unknown = clients.filter((client) => !this.sources.some((source) => source.isOf(client)))
    this.prepared = unknown.map((client) => this.sourceOf(client))
    for (const source of this.prepared) source.start()
    const end = performance.now() + MAX_PREPARATION_MS
    while (this.prepared.some(({ wasTried }) => !wasTried) && performance.now() < end) await delay(PREPARATION_CHECK_MS)
  }

  /** From now on these. */
  use(clients: readonly UpstreamClient[]): void {
    const before = [...this.sources]
    const known = [...before, ...this.prepared]
    const sources = clients.flatMap((client) => known.find((source) => source.isOf(client)) ?? [])
    this.sources.splice(0, before.length, ...sources)
    this.prepared = []
    // Where it is reached another way, it is the same upstream.
    const { primary } = this
    if (primary && !sources.includes(primary)) this.primary = sources.find(({ name }) => name === primary.name)
    if (primary && !this.primary) this.metrics.primaryChanged(primary.name, undefined)
    for (const source of before) if (!sources.includes(source)) this.forget(source)
    this.configs.notify(clients.map(({ config }) => config))
    this.consider()
    this.states.notify()
  }

  get configured(): readonly UpstreamConfig[] {
    return this.clients.all.map(({ config }) => config)
  }

  /** The configuration has changed; the states of the upstreams follow. */
  onConfigs(listener: Listener<readonly UpstreamConfig[]>): Unsubscribe {
    return this.configs.add(listener)
  }

  hasten(number: number): void {
    if (number > this.awaited.number) this.awaited = { number, since: performance.now() }
    for (const source of this.sources) source.hasten()
  }

  onChange(listener: Listener<ChainChange>): Unsubscribe {
    return this.changes.add(listener)
  }

  /** The status of an upstream, or what is final, has changed, and the chain has not. */
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
    this.isStopped = true
    this.finality.stop()
    this.logTopic.stop()
    this.pendingTopic.stop()
    await Promise.all([...this.sources, ...this.prepared].map((source) => source.stop()))
  }

  private forget(source: HeadSource): void {
    void source.stop()
    const { name } = source
    if (this.sources.some((each) => each.name === name)) return
    this.claims.forgetUpstream(name)
    this.statuses.forget(name)
    this.refusals.forget(name)
    this.metrics.forget(name)
  }

  private sourceOf(link: UpstreamClient): HeadSource {
    const { CHAIN_ID: chainId, POLL_MS: pollMs, MAX_LAG: maxLag } = this.env
    const { logger, headers } = this
    const isSpared = () => this.primary !== undefined && !this.primary.candidate.isMetered
    return new HeadSource({ link, chainId, pollMs, maxLag, logger, headers, isSpared, onChange: () => this.consider() })
  }

  /** An upstream has reported something new. */
  private consider(): void {
    if (this.isStopped) return
    this.claims.refresh()
    this.elect()
    if (this.statuses.refresh()) this.states.notify()
    for (const { name, isOfWrongChain } of this.sources) this.metrics.chainChecked(name, isOfWrongChain)
    this.refusals.take(this.upstreams.values())
    this.considerSyncing()
    void this.follower.follow()
  }

  private elect(): void {
    const before = this.primary
    // It stays primary for long: the best one gets the time to answer.
    if (!before && performance.now() < this.electionAt && this.sources.some(({ wasTried }) => !wasTried)) return
    const candidates = this.claims.candidates(before?.name)
    const best = bestHead(candidates)
    const isLagging = this.isLagging(
      candidates.find(({ name }) => name === before?.name),
      best,
    )
    const needs = { maxLag: this.env.MAX_LAG, head: isLagging ? best : (this.chain.head?.number ?? 0) }
    const primary = choosePrimary(isLagging ? undefined : before?.name, candidates, needs)
    this.primary = this.sources.find(({ name }) => name === primary?.name)
    if (this.primary === before) return
    // Those with a budget are needed now, or not any more.
    for (const source of this.sources) if (source.candidate.isMetered) source.hasten()
    this.metrics.primaryChanged(before?.name, this.primary?.name)
    const names = { primary: this.primary?.name, before: before?.name }
    if (this.primary) this.logger.info(names, 'the primary upstream has changed')
    else this.logger.warn(names, 'no upstream can be primary')
  }

  private isLagging(primary: PrimaryCandidate | undefined, best: number): boolean {
    const now = performance.now()
    if (!primary || primary.head >= best) this.laggingSince = undefined
    else this.laggingSince ??= now
    // Where callers wait for a block that another upstream has, the primary one gets less time.
    const isAwaited = primary !== undefined && primary.head < this.awaited.number && this.awaited.number <= best
    return now - (this.laggingSince ?? now) > MAX_LAG_MS || (isAwaited && now - this.awaited.since > MAX_AWAITED_MS)
  }

  private considerSyncing(): void {
    const status = this.primary ? undefined : [...this.upstreams.values()].find(({ syncing }) => syncing)?.syncing
    const synchronizes = status === undefined ? false : { syncing: true, status }
    const changed = (synchronizes === false) !== (this.synchronizes === false)
    this.synchronizes = synchronizes
    if (changed) this.syncingListeners.notify(synchronizes)
  }

  private take(change: ChainChange): void {
    this.chain.apply(change)
    this.headers.learn(change.added)
    if (change.resetFrom) this.claims.forget()
    this.claims.refresh()
    this.failing = undefined
    this.metrics.headChanged(change, this.chain.head)
    if (change.removed.length > 0)
      this.logger.info({ depth: change.removed.length, head: this.chain.head?.number }, 'blocks were disconnected')
    // A listener may ask for the block at once: which upstreams have it must be known before.
    this.statuses.refresh()
    void this.finality.refresh().then(this.first.resolve)
    this.changes.notify(change)
    if (this.logTopic.isRunning) this.logFeed.take(change)
    // What links to the new head may lead further.
    queueMicrotask(() => this.consider())
  }

  private readonly failed = ({ name }: FollowedUpstream, error: unknown): void => {
    const { message } = error as Error
    if (message !== this.failing) this.logger.warn({ upstream: name, reason: message }, 'the chain cannot be followed')
    this.failing = message
  }

  /** Those that are on our chain, the primary upstream first, those with a budget last. */
  private bestFirst(): HeadSource[] {
    const isAsked = ({ name, isHealthy, standsAside }: HeadSource) => isHealthy && !standsAside && this.upstreams.get(name)?.isOnOurChain
    const agreeing = this.sources.filter(isAsked)
    const costOf = (source: HeadSource) => Number(source !== this.primary) + 2 * Number(source.candidate.isMetered ?? false)
    return agreeing.sort((a, b) => costOf(a) - costOf(b))
  }
}
