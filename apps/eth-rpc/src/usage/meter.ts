import { LATENCY_BUCKETS, latencyBucketOf } from '@trestle/contracts/eth-rpc/latency'
import type { Method } from '../methods/method.js'
import type { MethodSums, Sums } from './sums.js'

/** What a call came to. */
export interface CallCount {
  readonly computeUnits: number
  readonly bytesOut: number
  readonly failed: boolean
  readonly cached: boolean
  /** Until its answer was there; undefined of what was no question. */
  readonly ms: number | undefined
}

/** Whose calls are counted. */
export interface Metered {
  readonly serial: number
  readonly id: string
  readonly ownerId: string
}

/** What the calls of a project came to since the last look. */
export interface ProjectCounts {
  readonly project: Metered
  readonly methods: readonly MethodSums[]
}

/** Counts the calls of one project in this process: no allocation and no I/O a call. */
export class ProjectMeter {
  readonly #methods: readonly Pick<Method, 'name'>[]
  readonly #onFirst: (meter: ProjectMeter) => unknown
  readonly #calls: Float64Array
  readonly #errors: Float64Array
  readonly #computeUnits: Float64Array
  readonly #bytesOut: Float64Array
  readonly #cacheHits: Float64Array
  /** The buckets of the first method, then those of the next. */
  readonly #latency: Float64Array
  #counted = false

  /** `onFirst` is told of the first call after each `take`. */
  constructor(methods: readonly Pick<Method, 'name'>[], onFirst: (meter: ProjectMeter) => unknown) {
    this.#methods = methods
    this.#onFirst = onFirst
    this.#calls = new Float64Array(methods.length)
    this.#errors = new Float64Array(methods.length)
    this.#computeUnits = new Float64Array(methods.length)
    this.#bytesOut = new Float64Array(methods.length)
    this.#cacheHits = new Float64Array(methods.length)
    this.#latency = new Float64Array(methods.length * LATENCY_BUCKETS)
  }

  /** Counts a call of the method with this index. */
  count(index: number, { computeUnits, bytesOut, failed, cached, ms }: CallCount): void {
    if (!this.#counted) this.begin()
    this.add(this.#calls, index, 1)
    this.add(this.#computeUnits, index, computeUnits)
    this.add(this.#bytesOut, index, bytesOut)
    if (failed) this.add(this.#errors, index, 1)
    if (cached) this.add(this.#cacheHits, index, 1)
    if (ms !== undefined) this.add(this.#latency, index * LATENCY_BUCKETS + latencyBucketOf(ms), 1)
  }

  /** Adds bytes of an answer that were not known when its call was counted. */
  addBytes(index: number, bytesOut: number): void {
    if (!this.#counted) this.begin()
    this.add(this.#bytesOut, index, bytesOut)
  }

  /** What was counted since the last time, by method; counting begins anew. */
  take(): MethodSums[] {
    this.#counted = false
    const taken: MethodSums[] = []
    for (const [index, { name }] of this.#methods.entries()) {
      if (this.#calls[index] || this.#bytesOut[index]) taken.push({ method: name, ...this.sumsAt(index) })
    }
    for (const sums of [this.#calls, this.#errors, this.#computeUnits, this.#bytesOut, this.#cacheHits, this.#latency]) sums.fill(0)
    return taken
  }

  private begin(): void {
    this.#counted = true
    this.#onFirst(this)
  }

  private add(sums: Float64Array, index: number, amount: number): void {
    sums[index] = (sums[index] as number) + amount
  }

  private sumsAt(index: number): Sums {
    return {
      calls: this.#calls[index] as number,
      errors: this.#errors[index] as number,
      computeUnits: this.#computeUnits[index] as number,
      bytesOut: this.#bytesOut[index] as number,
      cacheHits: this.#cacheHits[index] as number,
      latency: Array.from(this.#latency.subarray(index * LATENCY_BUCKETS, (index + 1) * LATENCY_BUCKETS)),
    }
  }
}
