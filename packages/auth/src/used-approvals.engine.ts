import { approvalUsed } from './auth-problems.js'
import { ExpiringMap } from './expiring-map.engine.js'

/** The approvals that this process has admitted, until they expire: accounts issues few, so few are known at a time. */
export class UsedApprovals {
  readonly #expiries = new ExpiringMap<number>((expiresAt, now) => expiresAt < now)

  /** Problem `ApprovalUsed` the second time. Times are in epoch seconds. */
  claim(id: string, expiresAt: number, now: number): void {
    if (this.#expiries.get(id) !== undefined) throw approvalUsed()
    this.#expiries.set(id, expiresAt, now)
  }

  /** After what it was for has failed. */
  release(id: string): void {
    this.#expiries.delete(id)
  }

  get size(): number {
    return this.#expiries.size
  }
}
