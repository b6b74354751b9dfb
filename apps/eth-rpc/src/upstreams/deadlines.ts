/** Something that is to happen at a time, unless it has come to an end before. */
export interface Deadline {
  /** On the clock of `performance.now`. */
  readonly dueAt: number
  readonly isSettled: boolean
  expire(now: number): void
}

const TICK_MS = 10

/**
 * One timer for all calls in flight: most are answered long before, and cost it nothing but a place in a list. Not in a Set: of one that
 * changes all the time V8 links the tables that it has been through, and keeps all that was in them until the next full collection.
 */
export class Deadlines {
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
    const { waiting } = this
    this.waiting = []
    for (const deadline of waiting) {
      if (deadline.isSettled) continue
      if (deadline.dueAt > now) this.waiting.push(deadline)
      else deadline.expire(now)
    }
  }
}

/** Those of the process. */
export const deadlines = new Deadlines()
