import { type Deadline, deadlines } from '@trestle/gateway/upstream/deadlines'
import type { AbortListener } from '../call-signal.js'
import type { CallOutcome } from '../framing/outcome.js'
import { type AttemptOutcome, RpcFailure } from '../framing/rpc-error.js'
import { CALL_FAILURES } from './call-failures.js'
import {
  type ActionKind,
  type CallAction,
  type CallEvent,
  type CallFailure,
  type CallState,
  type CallTerms,
  decide,
  type EventKind,
  INITIAL_STATE,
} from './call-policy.js'
import { KeptReplies } from './kept-replies.js'
import type { ShadowTraffic } from './shadow-traffic.engine.js'
import { Attempt, type AttemptListener, type Upstream, type UpstreamReply } from './upstream.engine.js'
import type { UpstreamNeeds } from './upstream-choice.js'
import { UpstreamFault } from './upstream-fault.js'
import type { UpstreamMetricsService } from './upstream-metrics.service.js'
import { requestBody, type UpstreamRequest, verdictOf } from './upstream-request.js'

/** An own node that takes longer does not serve. */
const OVERDUE_MS = 2_000

/** The nodes that may be asked. */
interface CallTargets {
  readonly upstreams: readonly Upstream[]
  readonly metrics: UpstreamMetricsService
  readonly shadows: ShadowTraffic
  readonly quorum: number
  choose(needs: UpstreamNeeds, asked: readonly Upstream[]): Upstream | undefined
  hasOthers(needs: UpstreamNeeds, asked: readonly Upstream[]): boolean
}

interface CallLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** One call under way: asks the upstreams as `call-policy.ts` decides. */
export class UpstreamCall implements Deadline, AbortListener, AttemptListener, CallTerms {
  dueAt = 0
  isSettled = false
  readonly outcome: Promise<CallOutcome>
  readonly isIdempotent: boolean
  readonly isHeavy: boolean
  readonly timeoutMs: number
  readonly maxDoubts: number
  readonly startedAt = performance.now()
  private resolve!: (outcome: CallOutcome) => void
  private reject!: (error: unknown) => void
  private state: CallState = INITIAL_STATE
  private readonly body: string
  private readonly running: Attempt[] = []
  private asked: Upstream[] = []
  private isTimed = false
  private isEarly = false
  private kept?: KeptReplies
  /** The attempt that has ended last, and what came of it. */
  private last?: Attempt
  private reply?: CallOutcome
  private error?: unknown
  /** What the upstreams that could not answer had instead of one. */
  private inVain?: AttemptOutcome[]

  constructor(
    private readonly targets: CallTargets,
    private readonly request: UpstreamRequest,
    private readonly limits: CallLimits,
  ) {
    this.body = requestBody(request)
    this.isIdempotent = request.method.idempotent
    this.isHeavy = request.method.isHeavy ?? false
    this.timeoutMs = limits.timeoutMs
    this.maxDoubts = request.isThorough ? targets.upstreams.length : 0
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    request.signal?.addEventListener('abort', this, { once: true })
    this.on(request.signal?.aborted ? { kind: 'abandoned' } : { kind: 'started' })
  }

  /** The caller has left. */
  handleEvent(): void {
    this.on({ kind: 'abandoned' })
  }

  expire(now: number): void {
    this.isTimed = false
    this.on({ kind: 'woke', now })
  }

  onReply(attempt: Attempt, reply: UpstreamReply): void {
    this.ended(attempt)
    if (this.isSettled) return
    attempt.upstream.learn(this.request, reply.meaning)
    const suspicion = reply.outcome.member === 'result' ? this.request.check?.(reply.outcome.json) : undefined
    const isConfirmed = suspicion === 'doubtful' && (this.kept?.count(reply.outcome) ?? 0) + 1 >= this.targets.quorum
    this.reply = suspicion ? { ...reply.outcome, doubtful: true } : reply.outcome
    if (suspicion) attempt.upstream.contradicted(suspicion)
    this.note(attempt, suspicion ?? reply.meaning)
    if (suspicion === 'early') this.isEarly = true
    const verdict = isConfirmed ? 'result' : verdictOf(this.request, reply, suspicion)
    this.on({ kind: 'replied', verdict, now: reply.receivedAt })
  }

  onFailed(attempt: Attempt, error: unknown): void {
    this.ended(attempt)
    this.error = error
    this.note(attempt, error instanceof UpstreamFault ? error.kind : 'failed')
    this.on(error instanceof UpstreamFault ? { kind: 'failed', fault: error.kind, now: performance.now() } : { kind: 'crashed' })
  }

  /** Asks an upstream not asked before; where there is none, and `again` is set, one of those that were. */
  askNext(again: boolean): void {
    const upstream = this.targets.choose(this.request, this.asked) ?? (again ? this.chooseAgain() : undefined)
    if (!upstream) this.on({ kind: 'unavailable', hasOthers: this.targets.hasOthers(this.request, this.asked), now: performance.now() })
    else {
      if (this.state.attempts > 0) this.targets.metrics.retries.inc()
      this.ask(upstream)
    }
  }

  hedge(): void {
    const upstream = this.targets.choose(this.request, this.asked)
    if (!upstream || (upstream.config.budget && !this.isOverdue)) this.on({ kind: 'unhedged' })
    else {
      this.targets.metrics.hedges.inc()
      this.ask(upstream)
    }
  }

  /** It takes so long that even a paid call is worth it. */
  private get isOverdue(): boolean {
    return performance.now() - this.startedAt >= OVERDUE_MS
  }

  wakeIn(ms: number): void {
    this.dueAt = performance.now() + ms
    if (this.isTimed) return
    this.isTimed = true
    deadlines.add(this)
  }

  keep(): void {
    this.kept ??= new KeptReplies()
    if (this.reply) this.kept.add(this.reply)
  }

  answer(use: 'reply' | 'fallback'): void {
    if (this.running.length > 0) this.blameSlower()
    this.succeed(use === 'reply' ? this.reply : this.kept?.best)
  }

  /** Logs that the newest block should have are missing only where most upstreams say so, and say the same. */
  fallBack(): void {
    const best = this.kept?.best
    if (this.isEarly && best && (this.kept?.count(best) ?? 0) < this.targets.quorum) this.fail('unavailable')
    else this.succeed(best)
  }

  fail(failure: CallFailure): void {
    for (const attempt of this.running) this.note(attempt, 'no answer')
    this.settle()
    const error = CALL_FAILURES[failure](this.error)
    if (error instanceof RpcFailure) error.attempts = this.inVain
    this.reject(error)
  }

  private note({ upstream }: Attempt, outcome: string): void {
    if (outcome === 'answer') return
    this.inVain ??= []
    this.inVain.push({ upstream: upstream.config.name, outcome })
  }

  private on<K extends EventKind>(event: CallEvent<K>): void {
    const { state, actions } = decide(this, this.state, event)
    this.state = state
    for (const action of actions) perform(this, action)
  }

  private chooseAgain(): Upstream | undefined {
    this.asked = []
    return this.targets.choose(this.request, this.asked)
  }

  private ask(upstream: Upstream): void {
    const timeoutMs = Math.max(1, Math.ceil(this.startedAt + this.timeoutMs - performance.now()))
    const attempt = new Attempt(upstream, this, { timeoutMs, maxBytes: this.limits.maxBytes })
    this.asked.push(upstream)
    this.running.push(attempt)
    // It may fail before `send` returns.
    this.on({ kind: 'asked', p95Ms: upstream.health.p95Ms })
    upstream.send(this.body, attempt)
  }

  /** Those that were asked before the fastest. */
  private blameSlower(): void {
    const { startedAt } = this.last ?? this
    const tookMs = performance.now() - startedAt
    for (const attempt of this.running) if (attempt.startedAt < startedAt) attempt.upstream.outrun(attempt.startedAt, tookMs)
  }

  private ended(attempt: Attempt): void {
    const index = this.running.indexOf(attempt)
    if (index !== -1) this.running.splice(index, 1)
    this.last = attempt
  }

  private succeed(outcome: CallOutcome | undefined): void {
    this.settle()
    if (!outcome) return
    this.resolve(outcome)
    const { shadows } = this.targets
    if (shadows.targets.length > 0) shadows.copy(this.request, outcome)
  }

  private settle(): void {
    this.isSettled = true
    this.request.signal?.removeEventListener('abort', this)
    for (const attempt of this.running.splice(0)) attempt.abort()
  }
}

type Performers = { readonly [K in ActionKind]: (call: UpstreamCall, action: CallAction<K>) => void }

const PERFORMERS: Performers = {
  ask: (call, { again }) => call.askNext(again),
  hedge: (call) => call.hedge(),
  wake: (call, { afterMs }) => call.wakeIn(afterMs),
  keep: (call) => call.keep(),
  answer: (call, { use }) => call.answer(use),
  fallBack: (call) => call.fallBack(),
  fail: (call, { failure }) => call.fail(failure),
}

function perform<K extends ActionKind>(call: UpstreamCall, action: CallAction<K>): void {
  PERFORMERS[action.kind](call, action)
}
