import { type CollectorOptions, ResponseCollector } from '@trestle/gateway/upstream/response-collector'
import type { ResponseHeaders } from '@trestle/gateway/upstream/transport'
import type { CallOutcome } from '../framing/outcome.js'
import type { Suspicion } from '../integrity/suspicion.js'
import { type ScannedAnswer, scanAnswer } from './answer-scan.js'
import { CallPace } from './call-pace.js'
import { isServedBy } from './method-rules.js'
import { type ErrorMeaning, meaningOf } from './node-error.js'
import type { UpstreamClient } from './upstream.client.js'
import type { UpstreamCandidate, UpstreamNeeds } from './upstream-choice.js'
import type { UpstreamConfig } from './upstream-config.js'
import { asUpstreamFault, faultOfStatus, UpstreamFault } from './upstream-fault.js'
import { UpstreamHealth } from './upstream-health.js'
import type { UpstreamFigures } from './upstream-metrics.service.js'

/** What an upstream answered, and what it means. */
export interface UpstreamReply {
  readonly outcome: CallOutcome
  /** Of a result: `answer`. */
  readonly meaning: ErrorMeaning
  /** On the clock of `performance.now`. */
  readonly receivedAt: number
}

const REST_MS = 1_000
// An upstream that is restarted with an archive is asked again after that.
const LACKING_STATE_MS = 600_000
const LACKING_METHOD_MS = 600_000
// One that takes so many times longer is not slow but stuck.
const MAX_OUTRUN = 4

/** One node, and how it does. */
export class Upstream implements UpstreamCandidate {
  readonly health = new UpstreamHealth()
  /** What was sent to others, and it has not accepted yet: since when. */
  readonly unaware = new Map<object, number>()
  /** Its name, as answers have it. */
  readonly names: readonly string[]
  private current: UpstreamConfig
  private pace?: CallPace
  private readonly served = new Map<string, boolean>()
  private lacksUpTo = -1
  private lacksUntil = 0
  /** Until when; there are no more than methods that are served. */
  private readonly lackedMethods = new Map<string, number>()

  constructor(
    readonly client: UpstreamClient,
    private readonly figures: UpstreamFigures,
    /** How many processes share its rate. */
    private readonly processes = 1,
  ) {
    this.current = client.config
    this.names = [client.config.name]
    this.pace = paceOf(client.config, processes)
  }

  get config(): UpstreamConfig {
    return this.current
  }

  /** Its client's configuration may be another now. */
  configure(): void {
    const { config } = this.client
    if (config.rateLimit !== this.current.rateLimit) {
      this.pace = paceOf(config, this.processes)
      this.health.paceUntil(0)
    }
    this.current = config
    this.served.clear()
  }

  get isSpent(): boolean {
    return this.client.meter?.isSpent ?? false
  }

  serves(method: string): boolean {
    let isServed = this.served.get(method)
    if (isServed === undefined) {
      isServed = isServedBy(this.current.methods ?? {}, method)
      this.served.set(method, isServed)
    }
    return isServed
  }

  send(body: string, attempt: Attempt): void {
    this.health.began(attempt.startedAt)
    if (this.pace) this.health.paceUntil(this.pace.took(attempt.startedAt))
    this.client.meter?.count()
    this.client.transport.send(this.client.head, body, attempt)
  }

  /** Another one that was asked later has answered first, in so much time. */
  outrun(startedAt: number, winnerMs: number): void {
    const now = performance.now()
    const tookMs = now - startedAt
    this.health.countSlow(tookMs)
    if (tookMs > MAX_OUTRUN * winnerMs) this.health.countFailure(now)
  }

  get unawareSince(): number {
    return Math.max(0, ...this.unaware.values())
  }

  lacksStateAt(block: number, now: number): boolean {
    return block <= this.lacksUpTo && now < this.lacksUntil
  }

  /** Asks others for a while for what it has reported to lack. */
  learn({ method, block }: Pick<UpstreamNeeds, 'method' | 'block'>, meaning: ErrorMeaning): void {
    if (meaning === 'missing-state' && block !== undefined) this.lackState(block)
    if (meaning === 'unsupported') this.lackMethod(method.name)
  }

  /** It has reported that it lacks the state of this block. */
  private lackState(block: number): void {
    const now = performance.now()
    this.lacksUpTo = now < this.lacksUntil ? Math.max(this.lacksUpTo, block) : block
    this.lacksUntil = now + LACKING_STATE_MS
  }

  lacksMethod(name: string, now: number): boolean {
    return this.lackedMethods.size > 0 && now < (this.lackedMethods.get(name) ?? 0)
  }

  /** It has reported that it does not know this method. */
  private lackMethod(name: string): void {
    this.lackedMethods.set(name, performance.now() + LACKING_METHOD_MS)
  }

  answered({ outcome, error }: ScannedAnswer, startedAt: number): UpstreamReply {
    const now = performance.now()
    const meaning = error ? meaningOf(error) : 'answer'
    this.figures.requests[meaning === 'limited' ? 'limited' : outcome.member].inc()
    this.figures.duration.observe((now - startedAt) / 1000)
    if (meaning === 'limited') this.health.limited(now, REST_MS)
    else if (meaning === 'unwell') this.health.failed(now)
    else this.health.answered(now, now - startedAt)
    return { outcome, meaning, receivedAt: now }
  }

  /** What it answered is contradicted by what we know. */
  contradicted(suspicion: Suspicion): void {
    this.figures.contradicted[suspicion].inc()
    if (suspicion === 'wrong') this.health.countFailure(performance.now())
  }

  /** Enough others have answered otherwise. */
  outvoted(isLie: boolean): void {
    const now = performance.now()
    this.figures.outvoted.inc()
    if (isLie) this.health.putAside(now)
    else this.health.countFailure(now)
  }

  failed(error: unknown): void {
    if (error instanceof UpstreamFault) this.faulted(error)
    else this.health.ended()
  }

  private faulted({ kind, retryAfterMs = REST_MS }: UpstreamFault): void {
    const now = performance.now()
    this.figures.requests[kind].inc()
    if (kind === 'limited') this.health.limited(now, retryAfterMs)
    // We broke it off ourselves.
    else if (kind === 'aborted' || kind === 'too-large') this.health.ended()
    else this.health.failed(now)
  }
}

function paceOf({ rateLimit }: UpstreamConfig, processes: number): CallPace | undefined {
  return rateLimit === undefined ? undefined : new CallPace(rateLimit / processes)
}

export interface AttemptListener {
  onReply(attempt: Attempt, reply: UpstreamReply): void
  /** With an UpstreamFault, or an error of our own. */
  onFailed(attempt: Attempt, error: unknown): void
}

/** One request to one upstream, and its answer. */
export class Attempt extends ResponseCollector {
  constructor(
    readonly upstream: Upstream,
    private readonly listener: AttemptListener,
    options: CollectorOptions,
  ) {
    super(options, upstream.config.compression)
  }

  protected override errorOfStatus(status: number, headers: ResponseHeaders): UpstreamFault | undefined {
    return faultOfStatus(status, headers, Date.now())
  }

  protected override onCollected(body: Buffer): void {
    let reply: UpstreamReply
    try {
      reply = this.upstream.answered(scanAnswer(body, this.upstream.names), this.startedAt)
    } catch (error) {
      this.onFailed(error)
      return
    }
    this.listener.onReply(this, reply)
  }

  protected override onFailed(error: unknown): void {
    const fault = asUpstreamFault(error)
    this.upstream.failed(fault)
    this.listener.onFailed(this, fault)
  }
}
