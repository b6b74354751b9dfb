/** Something that expires, unless it has settled before. */
export interface Deadline {
  /** On the clock of `performance.now`. */
  readonly dueAt: number
  readonly isSettled: boolean
  expire(now: number): void
}

const TICK_MS = 10

/**
 * One timer for everything in flight: most settles long before, and costs a place in a list. Not a Set: of one that changes all the
 * time V8 links the former tables, and keeps all that was in them until the next full collection.
 */
class Deadlines {
  private waiting: Deadline[] = []
  private timer?: NodeJS.Timeout

  add(deadline: Deadline): void {
    this.waiting.push(deadline)
    this.timer ??= setInterval(() => this.tick(), TICK_MS).unref()
  }

  private tick(): void {
    if (this.waiting.length === 0) {
      clearInterval(this.timer)
      this.timer = undefined
      return
    }
    const now = performance.now()
    const due: Deadline[] = []
    const later: Deadline[] = []
    for (const deadline of this.waiting) if (!deadline.isSettled) (deadline.dueAt > now ? later : due).push(deadline)
    // Whatever expires may add others, or settle them.
    this.waiting = later
    for (const deadline of due) if (!deadline.isSettled) deadline.expire(now)
  }
}

/** Those of the process. */
export const deadlines = new Deadlines()
