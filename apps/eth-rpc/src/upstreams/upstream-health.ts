/** The weight of the newest answer in the mean latency. */
const NEWEST_WEIGHT = 0.1
// Multiplied by these at each answer above or below it, the estimate settles where 5 % are above.
const ABOVE = 1 + 0.95 * 0.2
const BELOW = 1 - 0.05 * 0.2
/** Of an upstream not asked yet. */
const FIRST_LATENCY_MS = 50

const SLOT_MS = 1_000
const SLOTS = 10
/** Fewer failures may be chance. */
const MIN_FAILURES = 5
const MAX_FAILURE_RATE = 0.5

const MIN_BAN_MS = 1_000
const MAX_BAN_MS = 60_000

export type Circuit = 'closed' | 'half-open' | 'open'

/** How an upstream has answered lately. Times are milliseconds of one monotonic clock. */
export class UpstreamHealth {
  inFlight = 0
  latencyMs = FIRST_LATENCY_MS
  /** One answer of twenty took longer. */
  p95Ms = FIRST_LATENCY_MS
  private readonly answers = new Float64Array(SLOTS)
  private readonly failures = new Float64Array(SLOTS)
  private slot = 0
  private restUntil = 0
  private pacedUntil = 0
  private bannedUntil = 0
  private banMs = 0
  private isProbing = false

  /** It has asked us to wait. */
  isResting(now: number): boolean {
    return now < this.restUntil
  }

  /** It has had as many calls as it may have by now. */
  isPaced(now: number): boolean {
    return now < this.pacedUntil
  }

  paceUntil(time: number): void {
    this.pacedUntil = time
  }

  circuit(now: number): Circuit {
    if (this.banMs === 0) return 'closed'
    return now < this.bannedUntil ? 'open' : 'half-open'
  }

  /** After a ban one call is let through as a probe; the others wait for its result. */
  admits(now: number): boolean {
    const circuit = this.circuit(now)
    return !this.isResting(now) && (circuit === 'closed' || (circuit === 'half-open' && !this.isProbing))
  }

  /** The expected wait: the smaller the better. */
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
    this.latencyMs += (tookMs - this.latencyMs) * NEWEST_WEIGHT
    this.p95Ms *= tookMs > this.p95Ms ? ABOVE : BELOW
    if (this.circuit(now) !== 'half-open') return
    this.banMs = 0
    this.failures.fill(0)
  }

  failed(now: number): void {
    this.countFailure(now)
    this.ended()
  }

  /** Counts a failure of a request that may still be answered. */
  countFailure(now: number): void {
    const circuit = this.circuit(now)
    this.forgetOld(now)
    count(this.failures, this.slot)
    // A request sent before the circuit opened says nothing new.
    if (circuit === 'half-open' || (circuit === 'closed' && this.isFailing())) this.ban(now)
  }

  /** It has answered wrongly: nothing is asked of it for a while, where others can answer. */
  putAside(now: number): void {
    this.banMs = MAX_BAN_MS
    this.bannedUntil = now + MAX_BAN_MS
  }

  /** It has not answered for so long, and is no longer waited for. */
  countSlow(tookMs: number): void {
    if (tookMs > this.latencyMs) this.latencyMs += (tookMs - this.latencyMs) * NEWEST_WEIGHT
  }

  /** It asked us to wait: no sign of its health. */
  limited(now: number, restMs: number): void {
    this.ended()
    this.restUntil = Math.max(this.restUntil, now + restMs)
  }

  /** The request was abandoned: no sign of its health. */
  ended(): void {
    this.inFlight--
    this.isProbing = false
  }

  private isFailing(): boolean {
    const failures = sum(this.failures)
    return failures >= MIN_FAILURES && failures >= MAX_FAILURE_RATE * (failures + sum(this.answers))
  }

  private ban(now: number): void {
    this.banMs = Math.min(Math.max(this.banMs * 2, MIN_BAN_MS), MAX_BAN_MS)
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
