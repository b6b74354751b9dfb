import { approvalUsed } from './auth-problems.js'

const MIN_SWEEP = 1024

/** The approvals that this process has admitted, until they expire: accounts issues few, so few are known at a time. */
export class UsedApprovals {
  readonly #expiries = new Map<string, number>()
  #sweepSize = MIN_SWEEP

  /** Problem `ApprovalUsed` the second time. Times are in epoch seconds. */
  claim(id: string, expiresAt: number, now: number): void {
    if (this.#expiries.has(id)) throw approvalUsed()
    this.#expiries.set(id, expiresAt)
    if (this.#expiries.size >= this.#sweepSize) this.sweep(now)
  }

  /** After what it was for has failed. */
  release(id: string): void {
    this.#expiries.delete(id)
  }

  get size(): number {
    return this.#expiries.size
  }

  private sweep(now: number): void {
    for (const [id, expiresAt] of this.#expiries) if (expiresAt < now) this.#expiries.delete(id)
    this.#sweepSize = Math.max(MIN_SWEEP, 2 * this.#expiries.size)
  }
}
