/** What a bucket may hold at the most, and how fast it fills, in compute units and compute units a second. */
export interface Share {
  readonly capacity: number
  readonly rate: number
}

// A debt is paid within so many seconds: without an end to it a limit that was lowered would lock its project out.
const MAX_DEBT_SECONDS = 10
const MAX_DEBT_UNITS = 1_000

/**
 * A token bucket that may go into debt: whoever finds something in it may take all it needs, so that a limit below the price
 * of a call makes that call rare, not impossible; and what others have taken already is taken here too.
 */
export class TokenBucket {
  #tokens: number
  #at: number

  constructor({ capacity }: Share, now: number) {
    this.#tokens = capacity
    this.#at = now
  }

  /** Takes it, or says how many milliseconds it is too early. */
  take(units: number, share: Share, now: number): number {
    this.refill(share, now)
    if (this.#tokens <= 0) return Math.max(1, Math.ceil((-this.#tokens / share.rate) * 1000))
    this.#tokens -= units
    return 0
  }

  /** Takes what somebody else has let through. */
  debit(units: number, share: Share, now: number): void {
    this.refill(share, now)
    const deepest = Math.min(this.#tokens, -(share.rate * MAX_DEBT_SECONDS + MAX_DEBT_UNITS))
    this.#tokens = Math.max(this.#tokens - units, deepest)
  }

  private refill({ capacity, rate }: Share, now: number): void {
    // A clock that was set back gives nothing, and takes nothing away.
    const seconds = Math.max(0, now - this.#at) / 1000
    this.#tokens = Math.min(capacity, this.#tokens + rate * seconds)
    this.#at = now
  }
}
