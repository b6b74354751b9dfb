import { Problem, retryAfter } from '@trestle/problem/problem'
import { FairQueue } from './fair-queue.js'

/** Each lane has a queue of its own: a flood in one cannot fill another. */
export const LANES = ['known', 'sign-in', 'sign-up'] as const
export type Lane = (typeof LANES)[number]

/** Every so many turns the last lane comes first, so that none waits for ever. */
const TURNS = 4

/** Where a task waits, and whose turn it takes there: that of a network, or of a user. */
export interface Place {
  readonly lane: Lane
  readonly turnOf: string
}

type Waiting = PromiseWithResolvers<void>

/** Runs a few tasks at once, queues some more in each lane and refuses the rest, so that a flood cannot pile up. */
export class ConcurrencyLimiter {
  #running = 0
  #turn = 0
  readonly #waiting: Record<Lane, FairQueue<Waiting>> = { known: new FairQueue(), 'sign-in': new FairQueue(), 'sign-up': new FairQueue() }

  constructor(
    private readonly slots: number,
    private readonly queue: number,
  ) {}

  /** Runs a task when a slot is free; Problem `Busy` when too many are waiting in its lane. */
  async run<T>(place: Place, work: () => Promise<T>): Promise<T> {
    await this.enter(place)
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Problem `Busy` when too many are waiting in a lane: for a caller that has other work to do first. */
  requireRoom({ lane, turnOf }: Place): void {
    const waiting = this.#waiting[lane]
    if (this.#running < this.slots || waiting.size < this.queue || waiting.canDisplaceFor(turnOf)) return
    throw busy()
  }

  private enter(place: Place): Promise<void> | void {
    this.requireRoom(place)
    if (this.#running < this.slots) {
      this.#running++
      return
    }
    const waiting = this.#waiting[place.lane]
    if (waiting.size >= this.queue) waiting.displace()?.reject(busy())
    const one = Promise.withResolvers<void>()
    waiting.push(place.turnOf, one)
    return one.promise
  }

  private leave(): void {
    const next = this.takeNext()
    // The next task takes over the slot, or it becomes free.
    if (next) next.resolve()
    else this.#running--
  }

  private takeNext(): Waiting | undefined {
    this.#turn = (this.#turn + 1) % TURNS
    const order = this.#turn === 0 ? LANES.toReversed() : LANES
    const lane = order.find((each) => this.#waiting[each].size > 0)
    return lane && this.#waiting[lane].shift()
  }
}

function busy(): Problem {
  return new Problem('unavailable', 'Busy', 'Too many passwords are being checked at the moment; try again.', { headers: retryAfter(1) })
}
