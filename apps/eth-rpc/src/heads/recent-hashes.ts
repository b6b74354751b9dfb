const CAPACITY = 65_536

/** Recognizes a hash that was added before, while no more than that many others were added since. */
export class RecentHashes {
  private newer = new Set<string>()
  private older = new Set<string>()

  constructor(private readonly capacity = CAPACITY) {}

  /** Whether it is new. */
  add(hash: string): boolean {
    if (this.newer.has(hash) || this.older.has(hash)) return false
    if (this.newer.size >= this.capacity) {
      this.older = this.newer
      this.newer = new Set()
    }
    this.newer.add(hash)
    return true
  }
}
