import type { Slice } from './history.js'

export interface KeyedSlice extends Slice {
  readonly key: string
}

interface Source {
  readonly key: string
  /** Positions below this one were not read. */
  unread: number
  /** The oldest transaction read. */
  oldest: number
  /** How much is read next. */
  step: number
}

const FIRST_STEP = 16
const MAX_STEP = 1024

/**
 * Merges many histories into one, newest first, each transaction once. Of each history it reads only as much as is needed: in all
 * about as much as is requested, and a little of every history, however long they are.
 */
export class MergedHistory {
  private readonly sources: Source[]
  private found: number[] = []

  constructor(
    counts: ReadonlyMap<string, number>,
    private readonly count: number,
  ) {
    this.sources = [...counts].map(([key, count]) => ({ key, unread: count, oldest: Number.POSITIVE_INFINITY, step: FIRST_STEP }))
  }

  /** What has to be read before the newest entries are known; empty when they are. */
  missing(): KeyedSlice[] {
    const enough = this.found[this.count - 1] ?? Number.NEGATIVE_INFINITY
    return this.sources
      .filter(({ unread, oldest }) => unread > 0 && oldest > enough)
      .map(({ key, unread, step }) => ({ key, low: Math.max(0, unread - step), high: unread }))
  }

  /** Adds the transaction ids of these slices. */
  add(slices: readonly KeyedSlice[], read: ReadonlyMap<string, readonly number[]>): void {
    const sources = new Map(this.sources.map((source) => [source.key, source]))
    for (const { key, low } of slices) {
      const source = sources.get(key)
      if (!source) continue
      source.unread = low
      source.oldest = Math.min(source.oldest, ...(read.get(key) ?? []))
      source.step = Math.min(MAX_STEP, source.step * 2)
    }
    this.found = [...new Set([...this.found, ...[...read.values()].flat()])].sort((a, b) => b - a)
  }

  newest(): number[] {
    return this.found.slice(0, this.count)
  }
}
