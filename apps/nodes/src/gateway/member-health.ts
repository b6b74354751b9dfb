/** A single failure may be chance. */
const STREAK = 3
const FIRST_REST_MS = 500
const MAX_REST_MS = 15_000

/** How a machine has answered lately. Times are milliseconds of one monotonic clock. */
export class MemberHealth {
  private failures = 0
  private restMs = 0
  private restUntil = 0
  private isProbing = false

  /** After a rest one call is let through as a probe; the others wait for its result. */
  isWell(now: number): boolean {
    return this.restMs === 0 || (now >= this.restUntil && !this.isProbing)
  }

  began(now: number): void {
    if (this.restMs > 0 && now >= this.restUntil) this.isProbing = true
  }

  answered(): void {
    this.failures = 0
    this.restMs = 0
    this.isProbing = false
  }

  failed(now: number): void {
    this.failures++
    // A call sent before the pause says nothing new.
    if (this.restMs > 0 ? this.isProbing : this.failures >= STREAK) {
      this.restMs = Math.min(Math.max(this.restMs * 2, FIRST_REST_MS), MAX_REST_MS)
      this.restUntil = now + this.restMs
    }
    this.isProbing = false
  }

  /** The call was cancelled: it says nothing about the machine. */
  ended(): void {
    this.isProbing = false
  }
}
