/** How many calls may come at once after a pause: those of so much time, and at least one. */
const BURST_MS = 100

/** Calls a second, evenly: the generic cell rate algorithm. Times are milliseconds of one monotonic clock. */
export class CallPace {
  /** When the calls so far would have come, evenly. */
  private due = 0
  private readonly intervalMs: number
  private readonly burstMs: number

  constructor(perSecond: number) {
    this.intervalMs = 1000 / perSecond
    this.burstMs = Math.max(BURST_MS - this.intervalMs, 0)
  }

  /** Counts a call; returns when the next one may come. */
  took(now: number): number {
    this.due = Math.max(this.due, now) + this.intervalMs
    return this.due - this.burstMs
  }
}
