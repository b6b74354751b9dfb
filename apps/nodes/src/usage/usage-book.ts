import { added, type MethodSums, NONE } from './sums.js'

/** What a holding used of a method in an hour, so far as it is not written yet. */
export interface UsageRow extends MethodSums {
  readonly holding: string
  /** The beginning of the hour, in epoch milliseconds. */
  readonly hour: number
}

const HOUR_MS = 3_600_000

/** The hour of a moment, in epoch milliseconds: hours of UTC are those of the epoch. */
export function hourOf(now: number): number {
  return now - (now % HOUR_MS)
}

/** What is counted and not written yet: it grows with what is used, not with how long Postgres is away, and never beyond a bound. */
export class UsageBook {
  readonly #rows = new Map<string, UsageRow>()

  constructor(private readonly maxRows = 100_000) {}

  get size(): number {
    return this.#rows.size
  }

  /** How many of the calls could not be kept. */
  add(holding: string, hour: number, methods: readonly MethodSums[]): number {
    let lost = 0
    for (const { method, ...sums } of methods) {
      const key = `${holding} ${hour} ${method}`
      const before = this.#rows.get(key)
      if (before || this.#rows.size < this.maxRows) this.#rows.set(key, { holding, hour, method, ...added(before ?? NONE, sums) })
      else lost += sums.calls
    }
    return lost
  }

  /** Takes out so many rows. */
  take(limit: number): UsageRow[] {
    const taken: UsageRow[] = []
    for (const [key, row] of this.#rows) {
      if (taken.length === limit) break
      taken.push(row)
      this.#rows.delete(key)
    }
    return taken
  }
}
