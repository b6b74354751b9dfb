import { setTimeout as delay } from 'node:timers/promises'

const REMEMBERED_MS = 1000
const MAX_REMEMBERED = 10_000
/** A held request costs a connection and little memory; beyond that many, the next are answered at once. */
const MAX_HELD = 2000

interface Refusal {
  readonly at: number
  readonly until: number
}

/** The refusals of the last second: who repeats a refused request costs no query, and gets the next refusal late. */
export class RecentRefusals {
  private readonly refusals = new Map<string, Refusal>()
  private held = 0

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly pause: (ms: number) => Promise<unknown> = delay,
  ) {}

  remember(key: string, waitMs: number, nowMs: number): void {
    this.refusals.delete(key)
    this.refusals.set(key, { at: nowMs, until: nowMs + waitMs })
    const [oldest] = this.refusals.keys()
    if (this.refusals.size > MAX_REMEMBERED && oldest !== undefined) this.refusals.delete(oldest)
  }

  /** What was counted has been withdrawn: the next request is judged by the count. */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.refusals.delete(key)
  }

  /** The milliseconds to wait if one of these keys was refused within the last second, and has to wait still; otherwise 0. */
  waitOf(keys: readonly string[], nowMs: number): number {
    return Math.max(0, ...keys.map((key) => (this.find(key, nowMs)?.until ?? nowMs) - nowMs))
  }

  /** Delays a refusal if it is the second within a second: a closed loop turns about once a second, and its connections not in step. */
  async slowDown(key: string): Promise<void> {
    const isRepeated = this.find(key, this.now()) !== undefined
    this.remember(key, REMEMBERED_MS, this.now())
    if (!isRepeated || this.held >= MAX_HELD) return
    this.held++
    await this.pause(REMEMBERED_MS * (0.5 + Math.random()))
    this.held--
    this.remember(key, REMEMBERED_MS, this.now())
  }

  private find(key: string, nowMs: number): Refusal | undefined {
    const refusal = this.refusals.get(key)
    // A clock may be set back.
    if (refusal && nowMs >= refusal.at && nowMs < Math.min(refusal.until, refusal.at + REMEMBERED_MS)) return refusal
    this.refusals.delete(key)
    return undefined
  }
}
