const WINDOW_MS = 60_000

/** How fast it goes: blocks a second over the last minute. */
export class Rate {
  private readonly moments: { readonly at: number; readonly blocks: number }[] = []

  constructor(startedAt: number) {
    this.moments.push({ at: startedAt, blocks: 0 })
  }

  /** So many blocks more, at this time in milliseconds; the rate since. */
  add(blocks: number, at: number): number {
    this.moments.push({ at, blocks })
    while (this.moments.length > 2 && at - (this.moments[0]?.at ?? at) > WINDOW_MS) this.moments.shift()
    const [first, ...later] = this.moments
    const total = later.reduce((sum, moment) => sum + moment.blocks, 0)
    return first && at > first.at ? (1000 * total) / (at - first.at) : 0
  }
}
