/** What calls came to: how many they were, and whatever else a service adds up. */
export interface Calls {
  readonly calls: number
}

export type OfMethod<S> = S & { readonly method: string }

/** What somebody's calls of a method came to in an hour, so far as it is not written yet. */
export type UsageRow<K, S> = OfMethod<S> & {
  /** What was called: a project, a node. */
  readonly of: K
  /** The beginning of the hour, in epoch milliseconds. */
  readonly hour: number
}

/** What is counted and not written yet: it grows with what is used, not with how long Postgres is away, and never beyond a bound. */
export class UsageBook<K extends string | number, S extends Calls> {
  readonly #rows = new Map<string, UsageRow<K, S>>()

  constructor(
    private readonly added: (one: S, other: S) => S,
    private readonly maxRows: number,
  ) {}

  get size(): number {
    return this.#rows.size
  }

  /** How many of the calls could not be kept. */
  add(of: K, hour: number, methods: readonly OfMethod<S>[]): number {
    let lost = 0
    for (const sums of methods) {
      const { method } = sums
      const key = `${of} ${hour} ${method}`
      const before = this.#rows.get(key)
      if (before) this.#rows.set(key, { ...this.added(before, sums), of, hour, method })
      else if (this.#rows.size < this.maxRows) this.#rows.set(key, { ...sums, of, hour })
      else lost += sums.calls
    }
    return lost
  }

  /** Takes out so many rows. */
  take(limit: number): UsageRow<K, S>[] {
    const taken: UsageRow<K, S>[] = []
    for (const [key, row] of this.#rows) {
      if (taken.length === limit) break
      taken.push(row)
      this.#rows.delete(key)
    }
    return taken
  }
}
