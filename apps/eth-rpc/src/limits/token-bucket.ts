/** How much a bucket holds, in compute units, and how fast it fills, in compute units a second. */
export interface Share {
  readonly capacity: number
  readonly rate: number
}

// A debt is paid within so many seconds: without a bound a lowered limit would lock its project out.
const MAX_DEBT_SECONDS = 10
const MAX_DEBT_UNITS = 1_000

/**
 * A token bucket that may go into debt: a call may take all it costs where the bucket is not empty, so that a limit below the cost of
 * one call makes that call rare, not impossible. What other processes let through is debited, too.
 */
export class TokenBucket {
  #tokens: number
  #at: number

  constructor({ capacity }: Share, now: number) {
    this.#tokens = capacity
    this.#at = now
  }

  /** Negative while it owes some. */
  get tokens(): number {
    return this.#tokens
  }

  /** Takes the units, or returns in how many milliseconds they can be taken. */
  take(units: number, share: Share, now: number): number {
    this.refill(share, now)
    if (this.#tokens <= 0) return Math.max(1, Math.ceil((-this.#tokens / share.rate) * 1000))
    this.#tokens -= units
    return 0
  }

  /** Takes what another process has let through. */
  debit(units: number, share: Share, now: number): void {
    this.refill(share, now)
    const lowest = Math.min(this.#tokens, -(share.rate * MAX_DEBT_SECONDS + MAX_DEBT_UNITS))
    this.#tokens = Math.max(this.#tokens - units, lowest)
  }

  private refill({ capacity, rate }: Share, now: number): void {
    // A clock that is set back changes nothing.
    const seconds = Math.max(0, now - this.#at) / 1000
    this.#tokens = Math.min(capacity, this.#tokens + rate * seconds)
    this.#at = now
  }
}
