const WINDOW_MS = 60_000

/** Blocks per second over the last minute. */
export class Rate {
  private readonly moments: { readonly at: number; readonly blocks: number }[] = []

  constructor(startedAt: number) {
    this.moments.push({ at: startedAt, blocks: 0 })
  }

  /** Adds blocks at a time in milliseconds; returns the current rate. */
  add(blocks: number, at: number): number {
    this.moments.push({ at, blocks })
    const start = Math.max(0, this.moments.findIndex((moment) => at - moment.at < WINDOW_MS) - 1)
    this.moments.splice(0, start)
    const [first, ...later] = this.moments
    const total = later.reduce((sum, moment) => sum + moment.blocks, 0)
    return first && at > first.at ? (1000 * total) / (at - first.at) : 0
  }
}
