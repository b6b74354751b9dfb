/** Latency is remembered as a mean that follows the last ten answers or so. */
const FOLLOW = 0.1
// Multiplied by these at each answer above or below it, an estimate settles where 5 % are above.
const ABOVE = 1 + 0.95 * 0.2
const BELOW = 1 - 0.05 * 0.2
/** Of an upstream not yet asked: others are no better known. */
const FIRST_LATENCY_MS = 50

const SLOT_MS = 1_000
const SLOTS = 10
/** Fewer failures than this are chance. */
const MIN_FAILURES = 5
const MAX_FAILURE_RATE = 0.5

const FIRST_BAN_MS = 1_000
const LONGEST_BAN_MS = 60_000

export type Circuit = 'closed' | 'half-open' | 'open'

/** How an upstream has answered of late. Times are milliseconds of one monotonic clock. */
export class UpstreamHealth {
  inFlight = 0
  latencyMs = FIRST_LATENCY_MS
  /** One answer of twenty took longer. */
  p95Ms = FIRST_LATENCY_MS
  private readonly answers = new Float64Array(SLOTS)
  private readonly failures = new Float64Array(SLOTS)
  private slot = 0
  private restUntil = 0
  private bannedUntil = 0
  private banMs = 0
  private isProbing = false

  /** It asked to be left alone. */
  isResting(now: number): boolean {
    return now < this.restUntil
  }

  circuit(now: number): Circuit {
    if (this.banMs === 0) return 'closed'
    return now < this.bannedUntil ? 'open' : 'half-open'
  }

  /** After a ban one call is let through to see, the others wait for what it finds. */
  admits(now: number): boolean {
    const circuit = this.circuit(now)
    return !this.isResting(now) && (circuit === 'closed' || (circuit === 'half-open' && !this.isProbing))
  }

  /** What asking it costs: the smaller the better. */
  get load(): number {
    return (this.inFlight + 1) * this.latencyMs
  }

  began(now: number): void {
    this.inFlight++
    if (this.circuit(now) === 'half-open') this.isProbing = true
  }

  answered(now: number, tookMs: number): void {
    this.ended()
    this.forgetOld(now)
    count(this.answers, this.slot)
    this.latencyMs += (tookMs - this.latencyMs) * FOLLOW
    this.p95Ms *= tookMs > this.p95Ms ? ABOVE : BELOW
    if (this.circuit(now) !== 'half-open') return
    this.banMs = 0
    this.failures.fill(0)
  }

  failed(now: number): void {
    this.countFailure(now)
    this.ended()
  }

  /** As good as failed, though it may answer still. */
  countFailure(now: number): void {
    const circuit = this.circuit(now)
    this.forgetOld(now)
    count(this.failures, this.slot)
    // What was sent before a ban says nothing new.
    if (circuit === 'half-open' || (circuit === 'closed' && this.isFailing())) this.ban(now)
  }

  /** It has not answered for so long. */
  countSlow(tookMs: number): void {
    if (tookMs > this.latencyMs) this.latencyMs += (tookMs - this.latencyMs) * FOLLOW
  }

  /** Says nothing of its health: it asked for rest. */
  limited(now: number, restMs: number): void {
    this.ended()
    this.restUntil = Math.max(this.restUntil, now + restMs)
  }

  /** Says nothing of its health: nobody waited for the answer. */
  ended(): void {
    this.inFlight--
    this.isProbing = false
  }

  private isFailing(): boolean {
    const failures = sum(this.failures)
    return failures >= MIN_FAILURES && failures >= MAX_FAILURE_RATE * (failures + sum(this.answers))
  }

  private ban(now: number): void {
    this.banMs = Math.min(Math.max(this.banMs * 2, FIRST_BAN_MS), LONGEST_BAN_MS)
    this.bannedUntil = now + this.banMs
  }

  /** Forgets what is older than the window. */
  private forgetOld(now: number): void {
    const slot = Math.floor(now / SLOT_MS)
    const stale = Math.min(slot - this.slot, SLOTS)
    for (let i = 1; i <= stale; i++) {
      this.answers[(this.slot + i) % SLOTS] = 0
      this.failures[(this.slot + i) % SLOTS] = 0
    }
    this.slot = slot
  }
}

function count(counts: Float64Array, slot: number): void {
  counts[slot % SLOTS] = (counts[slot % SLOTS] ?? 0) + 1
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0)
}
