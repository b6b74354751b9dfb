import { type CallOutcome, MIN_RELEASED_BYTES } from '../framing/outcome.js'
import type { UpstreamStatus } from '../heads/head-feed.js'
import type { CacheClass } from '../methods/method-table.js'
import { isSameAnswer } from './answer-comparison.js'
import { Attempt, type Upstream } from './upstream.engine.js'
import type { UpstreamMetricsService } from './upstream-metrics.service.js'
import { requestBody, type UpstreamRequest } from './upstream-request.js'

const TIMEOUT_MS = 10_000
/** Longer answers are not worth comparing. */
const MAX_BYTES = 256 * 1024
/** What is sent to a shadow beyond that is left out. */
const MAX_IN_FLIGHT = 16
// Whatever any node of our chain answers alike.
const COMPARABLE = new Set<CacheClass>(['static', 'immutable', 'transaction'])

/** Copies of calls for upstreams that are only tried: their answers are compared with those that were given, and counted. */
export class ShadowTraffic {
  /** Those that are followed for this; most deployments have none. */
  targets: readonly Upstream[] = []

  constructor(
    private readonly statuses: ReadonlyMap<string, UpstreamStatus>,
    private readonly metrics: Pick<UpstreamMetricsService, 'shadowed'>,
  ) {}

  /** Sends a copy of a call that was answered. */
  copy(request: UpstreamRequest, given: CallOutcome): void {
    const { method, block, pending } = request
    if (!method.idempotent || pending || given.doubtful || given.json.length > MAX_BYTES) return
    if (block === undefined && !COMPARABLE.has(method.cache)) return
    for (const upstream of this.targets) if (Math.random() < (upstream.config.shadow ?? 0)) this.send(upstream, request, given)
  }

  private send(upstream: Upstream, request: UpstreamRequest, given: CallOutcome): void {
    const { name } = upstream.config
    const now = performance.now()
    const { health } = upstream
    const isFree = health.inFlight < MAX_IN_FLIGHT && health.admits(now) && !health.isPaced(now) && !upstream.isSpent
    if (!isFree || !this.mayAnswer(name, request.block)) {
      this.metrics.shadowed(name, 'skipped')
      return
    }
    const kept = lasting(given)
    const listener = {
      onReply: (_: Attempt, { outcome }: { readonly outcome: CallOutcome }) =>
        this.metrics.shadowed(name, isSameAnswer(kept, outcome) ? 'same' : 'different'),
      onFailed: () => this.metrics.shadowed(name, 'failed'),
    }
    upstream.send(requestBody(request), new Attempt(upstream, listener, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }))
  }

  private mayAnswer(name: string, block = 0): boolean {
    const status = this.statuses.get(name)
    return status?.refusal?.reason === 'shadow' && status.isOnOurChain && status.head >= block
  }
}

/** The memory of a long one may be given back before the shadow has answered. */
function lasting(outcome: CallOutcome): CallOutcome {
  return outcome.json.length > MIN_RELEASED_BYTES ? { ...outcome, json: Buffer.from(outcome.json) } : outcome
}
