const MIN_SWEEP = 1024

/** Forgets what is over, whenever it has doubled: memory stays within twice of what is current, and an entry costs a constant. */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, Value>()
  #sweepSize = MIN_SWEEP

  constructor(private readonly isOver: (value: Value, now: number) => boolean) {}

  get size(): number {
    return this.#entries.size
  }

  /** Also what is over, if it is still known. */
  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: Value, now: number): void {
    this.#entries.set(key, value)
    if (this.#entries.size < this.#sweepSize) return
    for (const [old, kept] of this.#entries) if (this.isOver(kept, now)) this.#entries.delete(old)
    this.#sweepSize = Math.max(MIN_SWEEP, 2 * this.#entries.size)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
