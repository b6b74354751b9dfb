import type { Outcome } from '../framing/outcome.js'
import { CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import { type Deadline, deadlines } from './deadlines.js'
import { UpstreamFault } from './fault.js'
import type { Fleet } from './fleet.service.js'
import { consequenceOf } from './node-error.js'
import type { Asking, Reply, Upstream } from './upstream.service.js'
import type { UpstreamRequest } from './upstream-request.js'
import { isSuspicious, requestBody } from './upstream-request.js'

export interface CallLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
}

const MAX_ATTEMPTS = 3
/** How long a block we have told of may be nowhere to be had. */
const BLOCK_WAIT_MS = 2_000
const BLOCK_LOOK_MS = 20
const SOONEST_HEDGE_MS = 100
/** How long somebody else may take who could know what one does not. */
const NULL_WAIT_MS = 1_000
const LATEST_HEDGE_MS = 2_000

/** One call: asks an upstream, the next where that may help, and others at the same time where the first is slow. */
export class Call implements Deadline {
  dueAt = 0
  isSettled = false
  private isAwaited = false
  readonly outcome: Promise<Outcome>
  private resolve!: (outcome: Outcome) => void
  private reject!: (error: Error) => void
  private readonly body: string
  private readonly startedAt = performance.now()
  private readonly running: Asking[] = []
  private tried: Upstream[] = []
  private attempts = 0
  private isHedged = false
  /** What to say where nobody says better. */
  private told?: Outcome
  private fault?: UpstreamFault

  constructor(
    private readonly fleet: Fleet,
    private readonly request: UpstreamRequest,
    private readonly limits: CallLimits,
  ) {
    this.body = requestBody(request)
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    request.signal?.addEventListener('abort', this, { once: true })
    if (request.signal?.aborted) this.handleEvent()
    else this.askNext()
  }

  /** The caller is gone. */
  handleEvent(): void {
    if (this.isSettled) return
    this.settle()
    this.reject(unavailable('nobody waits for the answer'))
  }

  /** Either the answer takes long, or nobody had the block. */
  expire(): void {
    this.isAwaited = false
    if (this.running.length > 0) this.hedge()
    else this.askNext()
  }

  private hedge(): void {
    this.isHedged = true
    const upstream = this.attempts < MAX_ATTEMPTS ? this.fleet.choose(this.request, this.tried) : undefined
    if (upstream) {
      this.fleet.metrics.hedges.inc()
      this.ask(upstream)
    } else if (this.hasNull) this.giveUp()
    // Somebody may be fit to be asked by then.
    else if (this.attempts < MAX_ATTEMPTS) this.wakeIn(SOONEST_HEDGE_MS)
  }

  private askNext(): void {
    const upstream = this.fleet.choose(this.request, this.tried)
    if (upstream) {
      if (this.attempts > 0) this.fleet.metrics.retries.inc()
      this.ask(upstream)
    } else if (this.running.length === 0 && this.mayAppear()) this.wakeIn(BLOCK_LOOK_MS)
    else this.haveNobody()
  }

  /** Nobody else has the block yet: whoever told us of it has died since. */
  private mayAppear(): boolean {
    const isPatient = performance.now() - this.startedAt < Math.min(BLOCK_WAIT_MS, this.limits.timeoutMs)
    return isPatient && !this.told && this.fleet.hasOthers(this.tried)
  }

  private ask(upstream: Upstream): void {
    const leftMs = Math.max(1, Math.ceil(this.startedAt + this.limits.timeoutMs - performance.now()))
    const asking = upstream.ask(this.body, { timeoutMs: leftMs, maxBytes: this.limits.maxBytes })
    this.attempts++
    this.tried.push(upstream)
    this.running.push(asking)
    if (this.hasNull) this.wakeIn(NULL_WAIT_MS)
    else if (this.request.method.idempotent && this.attempts < MAX_ATTEMPTS) this.wakeIn(this.hedgeDelay(upstream))
    asking.reply.then(
      (reply) => this.replied(asking, reply),
      (error) => this.failed(asking, error),
    )
  }

  /** The first time what is rare for the upstream is slow, from then on only what is slow for any. */
  private hedgeDelay({ health }: Upstream): number {
    return this.isHedged ? LATEST_HEDGE_MS : Math.min(Math.max(health.p95Ms, SOONEST_HEDGE_MS), LATEST_HEDGE_MS)
  }

  private replied(asking: Asking, reply: Reply): void {
    if (!this.end(asking)) return
    const { outcome, meaning } = reply
    const { elsewhere, isTold } = consequenceOf(meaning)
    const { block } = this.request
    if (meaning === 'missing-state' && block !== undefined) asking.upstream.lackState(block)
    if (isSuspicious(this.request, outcome)) {
      // Another one is asked, and what it says counts if it says something: nodes that are behind say so too.
      if (this.request.method.mayBeNull) this.told = outcome
      this.goOn()
    } else if (elsewhere) {
      if (isTold) this.told ??= outcome
      this.goOn()
    } else {
      this.succeed(asking, this.chosen(outcome))
    }
  }

  /** Where one node knows nothing of a transaction, and another has something against the question, nothing is known. */
  private chosen(outcome: Outcome): Outcome {
    return outcome.member === 'error' && this.told && this.hasNull ? this.told : outcome
  }

  private failed(asking: Asking, error: unknown): void {
    if (!this.end(asking)) return
    if (!(error instanceof UpstreamFault)) {
      this.settle()
      this.reject(error as Error)
      return
    }
    this.fault = error
    // A kept connection may be closed just when it is used again: whoever closed it is asked once more if there is nobody else.
    if (error.kind === 'reset' && !this.fleet.choose(this.request, this.tried)) this.tried = []
    this.goOn(error)
  }

  /** Whether its end matters to anybody. */
  private end(asking: Asking): boolean {
    this.running.splice(this.running.indexOf(asking), 1)
    return !this.isSettled
  }

  private goOn(fault?: UpstreamFault): void {
    const mayRepeat = this.request.method.idempotent || fault?.kind === 'unreachable'
    const isInTime = performance.now() - this.startedAt < this.limits.timeoutMs
    if (mayRepeat && isInTime && this.attempts < MAX_ATTEMPTS) this.askNext()
    else this.haveNobody()
  }

  /** There is nobody left to ask. Those who are still at it are slow, and hardly know what others do not. */
  private haveNobody(): void {
    if (this.running.length === 0) this.giveUp()
    else if (this.hasNull) this.wakeIn(NULL_WAIT_MS)
  }

  private get hasNull(): boolean {
    return this.told?.member === 'result'
  }

  private giveUp(): void {
    this.settle()
    if (this.told) this.resolve(this.told)
    else if (this.fault?.kind === 'timeout') this.reject(unavailable('no upstream has answered in time', 504))
    else if (this.fault?.kind === 'too-large') this.reject(tooLarge())
    else this.reject(unavailable('no upstream can answer now'))
  }

  private succeed(winner: Asking, outcome: Outcome): void {
    const now = performance.now()
    for (const { upstream, startedAt } of this.running) {
      if (startedAt < winner.startedAt) upstream.outrun(startedAt, now - winner.startedAt)
    }
    this.settle()
    this.resolve(outcome)
  }

  private settle(): void {
    this.isSettled = true
    this.request.signal?.removeEventListener('abort', this)
    for (const asking of this.running) asking.abort()
  }

  private wakeIn(ms: number): void {
    this.dueAt = performance.now() + ms
    if (this.isAwaited) return
    this.isAwaited = true
    deadlines.add(this)
  }
}

function tooLarge(): RpcFailure {
  return new RpcFailure({ code: CODE.limit, message: 'the answer is too large; ask for less at once' })
}
