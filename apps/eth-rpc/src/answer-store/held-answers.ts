/** What is to be stored once it has been kept for long enough. */
export interface HeldAnswer {
  /** In the store. */
  readonly name: string
  /** On the clock of `performance.now`. */
  readonly askedAt: number
}

/** Answers that wait to be stored, by their keys in the cache, which has them: one that the cache drops meanwhile is not stored. */
export class HeldAnswers {
  private readonly waiting = new Map<string, HeldAnswer>()

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.waiting.size
  }

  /** False where too many wait. One that was asked again waits again. */
  add(key: string, held: HeldAnswer): boolean {
    this.waiting.delete(key)
    if (this.waiting.size >= this.limit) return false
    this.waiting.set(key, held)
    return true
  }

  /** Those that were asked before that time. */
  *due(askedBefore: number): Generator<readonly [key: string, held: HeldAnswer]> {
    for (const entry of this.waiting) {
      // They are kept in the order in which they are found to be final.
      if (entry[1].askedAt > askedBefore) return
      yield entry
    }
  }

  has(key: string, held: HeldAnswer): boolean {
    return this.waiting.get(key) === held
  }

  /** Not one that was asked again since. */
  remove(key: string, held: HeldAnswer): void {
    if (this.waiting.get(key) === held) this.waiting.delete(key)
  }

  clear(): void {
    this.waiting.clear()
  }
}
