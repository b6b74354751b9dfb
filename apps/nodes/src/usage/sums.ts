/** What calls came to. */
export interface Sums {
  readonly calls: number
  readonly errors: number
  readonly bytesOut: number
}

/** Whose calls are counted. */
export interface Counted {
  readonly id: string
  readonly userId: string
}

export interface MethodSums extends Sums {
  readonly method: string
}

export interface WorkloadSums {
  readonly workload: Counted
  readonly methods: readonly MethodSums[]
}

const NONE: Sums = { calls: 0, errors: 0, bytesOut: 0 }

export function added(one: Sums, other: Sums): Sums {
  return { calls: one.calls + other.calls, errors: one.errors + other.errors, bytesOut: one.bytesOut + other.bytesOut }
}

export function total(all: readonly Sums[]): Sums {
  return all.reduce(added, NONE)
}
