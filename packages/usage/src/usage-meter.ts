import type { Caller } from '@trestle/contracts/caller'
import type { MethodSums, Sums } from './usage-sums.js'

/** So many are named a reading; the calls of all are counted. */
const MAX_ACTORS = 100

/** What a token was issued to: a session or a client key. */
export type Actor = { readonly session: string } | { readonly clientKey: string }

/** Counts the calls of one project or workload in this process: no I/O a call, and nothing allocated but for the first of a method. */
export class UsageMeter<N extends string = never> {
  readonly #methods = new Map<string, Sums<N>>()
  readonly #actors = new Map<string, Actor>()

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

  /** Who calls: before the call, or during it. */
  noteCaller({ sessionId, clientId }: Pick<Caller, 'sessionId' | 'clientId'>): void {
    const id = sessionId ?? clientId
    if (id === undefined || this.#actors.has(id) || this.#actors.size >= MAX_ACTORS) return
    this.#actors.set(id, sessionId === undefined ? { clientKey: id } : { session: id })
  }

  /** Whose tokens were presented since the last time. */
  takeActors(): Actor[] {
    const taken = [...this.#actors.values()]
    this.#actors.clear()
    return taken
  }

  private begin(method: string): Sums<N> {
    if (this.#methods.size === 0) this.onFirst(this)
    const sums = this.none()
    this.#methods.set(method, sums)
    return sums
  }
}
