import { Inject, Injectable } from '@nestjs/common'
import type { EthRpcEnv } from '../env.js'
import type { CallOutcome } from '../framing/outcome.js'
import { HeadFeed } from '../heads/head-feed.js'
import { ENV } from '../settings.module.js'
import { type CallTargets, UpstreamCall } from './call.engine.js'
import type { LogFilter, LogLimits } from './log-filter.js'
import { LogSearch } from './log-search.engine.js'
import { TransactionBroadcast } from './transaction-broadcast.engine.js'
import { MAX_ANSWER_BYTES } from './upstream.client.js'
import { Upstream } from './upstream.engine.js'
import { chooseUpstream, type UpstreamNeeds } from './upstream-choice.js'
import { UpstreamClientsService } from './upstream-clients.service.js'
import { UpstreamMetricsService } from './upstream-metrics.service.js'
import type { UpstreamRequest } from './upstream-request.js'

/** The nodes behind the gateway, as one. What it promises is rejected with an RpcFailure where none can answer. */
@Injectable()
export class UpstreamPool implements CallTargets {
  readonly upstreams: readonly Upstream[]

  constructor(
    clients: UpstreamClientsService,
    private readonly feed: HeadFeed,
    readonly metrics: UpstreamMetricsService,
    @Inject(ENV) private readonly env: Pick<EthRpcEnv, 'CALL_TIMEOUT_MS'>,
  ) {
    this.upstreams = clients.all.map((client) => new Upstream(client, metrics.of(client.config.name)))
    metrics.watch(this.upstreams, ({ config }) => feed.upstreams.get(config.name))
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
  logs(filter: LogFilter, limits: LogLimits): Promise<CallOutcome> {
    return new LogSearch(this, this.feed.chain, filter, limits).run()
  }

  choose(needs: UpstreamNeeds, asked: readonly Upstream[]): Upstream | undefined {
    const choosing = { candidates: this.upstreams, statuses: this.feed.upstreams, now: performance.now(), random: Math.random }
    return chooseUpstream(choosing, needs, asked)
  }

  hasOthers(asked: readonly Upstream[]): boolean {
    const now = performance.now()
    const isThere = ({ config, health }: Upstream) => this.feed.upstreams.get(config.name)?.isUsable && !health.isResting(now)
    return this.upstreams.some((upstream) => !asked.includes(upstream) && isThere(upstream))
  }
}
