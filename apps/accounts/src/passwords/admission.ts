import { Problem, retryAfter } from '@trestle/problem/problem'

/** Lets a few pieces of work run at once and some more wait; refuses the rest at once, so that a flood cannot pile up. */
export class Admission {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(
    private readonly slots: number,
    private readonly queue: number,
  ) {}

  /** Runs the work when its turn comes; Problem `Busy` when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter()
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Problem `Busy` when too many wait already: for who would otherwise do other work first. */
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
    // The slot passes on as it is, or nobody holds it any more.
    if (next) next()
    else this.#running--
  }
}
