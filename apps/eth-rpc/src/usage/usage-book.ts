import type { MethodSums, Sums } from './meter.js'

/** What a project used of a method in an hour, so far as it is not written yet. */
export interface UsageRow extends Sums {
  readonly serial: number
  /** The beginning of the hour, in epoch milliseconds. */
  readonly hour: number
  readonly method: string
}

const HOUR_MS = 3_600_000

/** The hour of a moment, in epoch milliseconds: hours of UTC are those of the epoch. */
export function hourOf(now: number): number {
  return now - (now % HOUR_MS)
}

/** What is counted and not written yet: it grows with what is used, not with how long Postgres is away, and never beyond a bound. */
export class UsageBook {
  readonly #rows = new Map<string, UsageRow>()

  constructor(private readonly maxRows = 200_000) {}

  get size(): number {
    return this.#rows.size
  }

  /** How many of the calls could not be kept. */
  add(serial: number, hour: number, methods: readonly MethodSums[]): number {
    let lost = 0
    for (const sums of methods) {
      const key = `${serial} ${hour} ${sums.method}`
      const before = this.#rows.get(key)
      if (before || this.#rows.size < this.maxRows)
        this.#rows.set(key, { serial, hour, method: sums.method, ...added(before ?? NONE, sums) })
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

const NONE: Sums = { calls: 0, errors: 0, computeUnits: 0, bytesOut: 0, cacheHits: 0 }

export function added(one: Sums, other: Sums): Sums {
  return {
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    computeUnits: one.computeUnits + other.computeUnits,
    bytesOut: one.bytesOut + other.bytesOut,
    cacheHits: one.cacheHits + other.cacheHits,
  }
}

export function total(all: readonly Sums[]): Sums {
  return all.reduce(added, NONE)
}
