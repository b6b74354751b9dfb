import { addTo, type MethodSums, type UsageTable } from './usage-sums.js'

/** What the calls of a method came to in an hour, as far as it is not written yet. */
export type UsageRow<K, N extends string = never> = MethodSums<N> & {
  /** What was called: a project, a node. */
  readonly of: K
  /** The start of the hour, in epoch milliseconds. */
  readonly hour: number
}

/** What is counted and not written yet: it grows with what is used, not with how long Postgres is away, and never beyond a bound. */
export class UsageBook<K extends string | number, N extends string = never> {
  readonly #rows = new Map<string, UsageRow<K, N>>()

  constructor(
    private readonly table: Pick<UsageTable<N>, 'columns' | 'none'>,
    private readonly maxRows: number,
  ) {}

  get size(): number {
    return this.#rows.size
  }

  /** Returns how many of the calls found no place. */
  add(of: K, hour: number, methods: readonly MethodSums<N>[]): number {
    let lost = 0
    for (const sums of methods) {
      const { method } = sums
      const key = `${of} ${hour} ${method}`
      const row = this.#rows.get(key)
      if (row) addTo(this.table, row, sums)
      else if (this.#rows.size < this.maxRows) this.#rows.set(key, { ...sums, latency: [...sums.latency], of, hour })
      else lost += sums.calls
    }
    return lost
  }

  take(limit: number): UsageRow<K, N>[] {
    const taken: UsageRow<K, N>[] = []
    for (const [key, row] of this.#rows) {
      if (taken.length === limit) break
      taken.push(row)
      this.#rows.delete(key)
    }
    return taken
  }
}
