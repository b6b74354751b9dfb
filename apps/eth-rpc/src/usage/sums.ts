import { addedLatencies } from '@trestle/contracts/eth-rpc/latency'

/** What calls came to. */
export interface Sums {
  readonly calls: number
  readonly errors: number
  readonly computeUnits: number
  readonly bytesOut: number
  readonly cacheHits: number
  /** How many took how long, by bucket. */
  readonly latency: readonly number[]
}

export interface MethodSums extends Sums {
  readonly method: string
}

const NONE: Sums = { calls: 0, errors: 0, computeUnits: 0, bytesOut: 0, cacheHits: 0, latency: [] }

export function added(one: Sums, other: Sums): Sums {
  return {
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    computeUnits: one.computeUnits + other.computeUnits,
    bytesOut: one.bytesOut + other.bytesOut,
    cacheHits: one.cacheHits + other.cacheHits,
    latency: addedLatencies(one.latency, other.latency),
  }
}

export function total(all: readonly Sums[]): Sums {
  return all.reduce(added, NONE)
}
