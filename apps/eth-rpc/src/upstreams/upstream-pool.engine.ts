import { Inject, Injectable } from '@nestjs/common'
import type { EthRpcEnv } from '../env.js'
import type { CallOutcome } from '../framing/outcome.js'
import { quorumOf } from '../heads/head-claim.js'
import { HeadFeed } from '../heads/head-feed.js'
import { voicesOf } from '../heads/service-state.js'
import { ENV } from '../settings.module.js'
import type { LogFilter, LogLimits } from './log-filter.js'
import { LogSearch } from './log-search.engine.js'
import { ShadowTraffic } from './shadow-traffic.engine.js'
import { TransactionBroadcast } from './transaction-broadcast.engine.js'
import { MAX_ANSWER_BYTES, type UpstreamClient } from './upstream.client.js'
import { Upstream } from './upstream.engine.js'
import { UpstreamCall } from './upstream-call.engine.js'
import { chooseUpstream, type UpstreamNeeds } from './upstream-choice.js'
import { UpstreamClientsService } from './upstream-clients.service.js'
import { UpstreamMetricsService } from './upstream-metrics.service.js'
import type { UpstreamRequest, Upstreams } from './upstream-request.js'

/** The nodes behind the gateway, as one. What it promises is rejected with an RpcFailure where none can answer. */
@Injectable()
export class UpstreamPool implements Upstreams {
  upstreams: readonly Upstream[] = []
  readonly shadows: ShadowTraffic
  private isWeighted = false

  constructor(
    clients: UpstreamClientsService,
    private readonly feed: HeadFeed,
    readonly metrics: UpstreamMetricsService,
    @Inject(ENV) private readonly env: Pick<EthRpcEnv, 'CALL_TIMEOUT_MS'> & Partial<Pick<EthRpcEnv, 'WORKERS'>>,
  ) {
    this.shadows = new ShadowTraffic(feed.upstreams, metrics)
    this.take(clients.all)
    metrics.watch(
      () => this.upstreams,
      ({ config }) => feed.upstreams.get(config.name),
    )
  }

  call(request: UpstreamRequest): Promise<CallOutcome> {
    const { timeoutMs = this.env.CALL_TIMEOUT_MS } = request
    return new UpstreamCall(this, request, { timeoutMs, maxBytes: MAX_ANSWER_BYTES }).outcome
  }

  /** `eth_sendRawTransaction`. */
  broadcast(paramsJson: string): Promise<CallOutcome> {
    return new TransactionBroadcast(this, paramsJson, this.env.CALL_TIMEOUT_MS).send()
  }

  /** `eth_getLogs`. */
  async logs(filter: LogFilter, limits: LogLimits): Promise<CallOutcome> {
    return new LogSearch(this, this.feed.chain, filter, limits).run()
  }

  /** Undefined where no upstream is left that could answer. */
  choose(needs: UpstreamNeeds, asked: readonly Upstream[]): Upstream | undefined {
    const { upstreams: candidates, isWeighted } = this
    const choosing = { candidates, statuses: this.feed.upstreams, now: performance.now(), isWeighted, random: Math.random }
    return chooseUpstream(choosing, needs, asked)
  }

  /** How many must say so, for what speaks against a reply to be overruled. */
  get quorum(): number {
    return quorumOf(voicesOf(this.feed.upstreams.values()))
  }

  /** Whether there are others, if not with the block that is needed. */
  hasOthers({ method }: UpstreamNeeds, asked: readonly Upstream[]): boolean {
    const now = performance.now()
    const isThere = ({ config, health }: Upstream) => this.feed.upstreams.get(config.name)?.isUsable && !health.isResting(now)
    return this.upstreams.some(
      (upstream) => !asked.includes(upstream) && isThere(upstream) && !upstream.isSpent && upstream.serves(method.name),
    )
  }

  /** Whether some would be asked, had they not had their calls. */
  get hasPaced(): boolean {
    const now = performance.now()
    return this.upstreams.some(
      ({ config, health, isSpent }) => health.isPaced(now) && !isSpent && this.feed.upstreams.get(config.name)?.isUsable,
    )
  }

  /** From now on these; those that were there keep what is known of them, and calls under way end where they are. */
  take(clients: readonly UpstreamClient[]): void {
    const known = new Map(this.upstreams.map((upstream) => [upstream.client, upstream]))
    this.upstreams = clients.map(
      (client) => known.get(client) ?? new Upstream(client, this.metrics.of(client.config.name), this.env.WORKERS),
    )
    for (const upstream of this.upstreams) upstream.configure()
    this.isWeighted = clients.some(({ config }) => config.weight !== undefined || config.cost !== undefined)
    this.shadows.targets = this.upstreams.filter(({ config }) => config.shadow !== undefined)
  }
}
