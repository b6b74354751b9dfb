import type { Outcome } from '../framing/outcome.js'
import { type Answer, scanAnswer } from './answer-scan.js'
import type { Candidate } from './choice.js'
import type { Exchange, SendOptions } from './exchange.js'
import { UpstreamFault } from './fault.js'
import { Health } from './health.js'
import { type Meaning, meaningOf } from './node-error.js'
import type { UpstreamClient } from './upstream.client.js'
import type { UpstreamConfig } from './upstream.js'
import type { UpstreamFigures } from './upstream-metrics.service.js'

/** What an upstream answered, and what it means. */
export interface Reply {
  readonly outcome: Outcome
  /** Of a result: `answer`. */
  readonly meaning: Meaning
}

/** A call an upstream is at. */
export interface Asking {
  readonly upstream: Upstream
  readonly reply: Promise<Reply>
  readonly startedAt: number
  abort(): void
}

const REST_MS = 1_000
// An upstream that is restarted with an archive is asked again after that.
const LACK_MS = 600_000
// One outrun by so much is not slow but stuck.
const OUTRUN = 4

/** One node, and how it does. */
export class Upstream implements Candidate {
  readonly health = new Health()
  readonly config: UpstreamConfig
  private lacksUpTo = -1
  private lacksUntil = 0

  constructor(
    private readonly client: UpstreamClient,
    private readonly figures: UpstreamFigures,
  ) {
    this.config = client.config
  }

  ask(body: string, options: SendOptions): Asking {
    const startedAt = performance.now()
    this.health.began(startedAt)
    const exchange = this.client.open(body, options)
    return { upstream: this, reply: this.replyTo(exchange, startedAt), startedAt, abort: () => exchange.abort() }
  }

  /** Another one that was asked later has answered first, in so much time. */
  outrun(startedAt: number, winnerMs: number): void {
    const now = performance.now()
    const tookMs = now - startedAt
    this.health.seemsSlow(tookMs)
    if (tookMs > OUTRUN * winnerMs) this.health.disappointed(now)
  }

  lacksStateAt(block: number, now: number): boolean {
    return block <= this.lacksUpTo && now < this.lacksUntil
  }

  /** It has told so. */
  lackState(block: number): void {
    const now = performance.now()
    this.lacksUpTo = now < this.lacksUntil ? Math.max(this.lacksUpTo, block) : block
    this.lacksUntil = now + LACK_MS
  }

  private async replyTo(exchange: Exchange, startedAt: number): Promise<Reply> {
    try {
      return this.replyOf(scanAnswer(await exchange.answer), startedAt)
    } catch (error) {
      throw this.failed(error)
    }
  }

  private replyOf({ outcome, error }: Answer, startedAt: number): Reply {
    const now = performance.now()
    const meaning = error ? meaningOf(error) : 'answer'
    this.figures.requests[meaning === 'limited' ? 'limited' : outcome.member].inc()
    this.figures.duration.observe((now - startedAt) / 1000)
    if (meaning === 'limited') this.health.limited(now, REST_MS)
    else if (meaning === 'unwell') this.health.failed(now)
    else this.health.answered(now, now - startedAt)
    return { outcome, meaning }
  }

  private failed(error: unknown): unknown {
    const now = performance.now()
    if (!(error instanceof UpstreamFault)) {
      this.health.ended()
      return error
    }
    this.figures.requests[error.kind].inc()
    if (error.kind === 'limited') this.health.limited(now, error.retryAfterMs ?? REST_MS)
    // We broke it off ourselves.
    else if (error.kind === 'aborted' || error.kind === 'too-large') this.health.ended()
    else this.health.failed(now)
    return error
  }
}
