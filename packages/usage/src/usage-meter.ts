import type { MethodSums, Sums } from './usage-sums.js'

/** Counts the calls of one project or workload in this process: no I/O a call, and nothing allocated but for the first of a method. */
export class UsageMeter<N extends string = never> {
  readonly #methods = new Map<string, Sums<N>>()

  /** `onFirst` is called with the first method after each `take`. */
  constructor(
    private readonly none: () => Sums<N>,
    private readonly onFirst: (meter: UsageMeter<N>) => void,
  ) {}

  /** The sums of a method, for the caller to add to before anything else runs. */
  of(method: string): Sums<N> {
    return this.#methods.get(method) ?? this.begin(method)
  }

  /** What was counted since the last time, by method; counting starts again at 0. */
  take(): MethodSums<N>[] {
    const taken = [...this.#methods].map(([method, sums]) => ({ ...sums, method }))
    this.#methods.clear()
    return taken
  }

  private begin(method: string): Sums<N> {
    if (this.#methods.size === 0) this.onFirst(this)
    const sums = this.none()
    this.#methods.set(method, sums)
    return sums
  }
}
