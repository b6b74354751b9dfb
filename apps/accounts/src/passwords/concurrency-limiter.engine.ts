import { Problem, retryAfter } from '@trestle/problem/problem'

/** Each lane has a queue of its own: a flood in one cannot fill another. The first comes first. */
export const LANES = ['known', 'sign-in', 'sign-up'] as const
export type Lane = (typeof LANES)[number]

/** Every so many turns the last lane comes first, so that none waits for ever. */
const TURNS = 4

/** Runs a few tasks at once, queues some more in each lane and refuses the rest, so that a flood cannot pile up. */
export class ConcurrencyLimiter {
  #running = 0
  #turn = 0
  readonly #waiting: Record<Lane, (() => void)[]> = { known: [], 'sign-in': [], 'sign-up': [] }

  constructor(
    private readonly slots: number,
    private readonly queue: number,
  ) {}

  /** Runs a task when a slot is free; Problem `Busy` when too many are waiting in its lane. */
  async run<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    await this.enter(lane)
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Problem `Busy` when too many are waiting in a lane: for a caller that has other work to do first. */
  requireRoom(lane: Lane): void {
    if (this.#running < this.slots || this.#waiting[lane].length < this.queue) return
    throw new Problem('unavailable', 'Busy', 'Too many passwords are being checked at the moment; try again.', { headers: retryAfter(1) })
  }

  private enter(lane: Lane): Promise<void> | void {
    this.requireRoom(lane)
    if (this.#running < this.slots) {
      this.#running++
      return
    }
    return new Promise((resolve) => this.#waiting[lane].push(resolve))
  }

  private leave(): void {
    const next = this.takeNext()
    // The next task takes over the slot, or it becomes free.
    if (next) next()
    else this.#running--
  }

  private takeNext(): (() => void) | undefined {
    this.#turn = (this.#turn + 1) % TURNS
    const order = this.#turn === 0 ? LANES.toReversed() : LANES
    const lane = order.find((each) => this.#waiting[each].length > 0)
    return lane && this.#waiting[lane].shift()
  }
}
