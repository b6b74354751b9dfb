import { Problem, retryAfter } from '@trestle/problem/problem'

/** Runs a few tasks at once, queues some more and refuses the rest, so that a flood cannot pile up. */
export class ConcurrencyLimiter {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(
    private readonly slots: number,
    private readonly queue: number,
  ) {}

  /** Runs a task when a slot is free; Problem `Busy` when too many are waiting. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter()
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Problem `Busy` when too many are waiting: for a caller that has other work to do first. */
  requireRoom(): void {
    if (this.#running < this.slots || this.#waiting.length < this.queue) return
    throw new Problem('unavailable', 'Busy', 'Too many passwords are being checked at the moment; try again.', { headers: retryAfter(1) })
  }

  private enter(): Promise<void> | void {
    this.requireRoom()
    if (this.#running < this.slots) {
      this.#running++
      return
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  private leave(): void {
    const next = this.#waiting.shift()
    // The next task takes over the slot, or it becomes free.
    if (next) next()
    else this.#running--
  }
}
