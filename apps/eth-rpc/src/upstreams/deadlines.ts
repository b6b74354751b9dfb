/** Something that is to happen at a time unless it is taken back before. */
export interface Deadline {
  /** On the clock of `performance.now`. */
  readonly dueAt: number
  expire(now: number): void
}

const TICK_MS = 10

/** One timer for all calls in flight: most are answered long before, and cost it nothing but a place in a set. */
export class Deadlines {
  private readonly waiting = new Set<Deadline>()
  private timer?: NodeJS.Timeout

  add(deadline: Deadline): void {
    this.waiting.add(deadline)
    this.timer ??= setInterval(() => this.tick(), TICK_MS).unref()
  }

  delete(deadline: Deadline): void {
    this.waiting.delete(deadline)
  }

  private tick(): void {
    if (this.waiting.size === 0) {
      clearInterval(this.timer)
      this.timer = undefined
      return
    }
    const now = performance.now()
    for (const deadline of this.waiting) {
      if (deadline.dueAt > now) continue
      this.waiting.delete(deadline)
      deadline.expire(now)
    }
  }
}

/** Those of the process. */
export const deadlines = new Deadlines()
