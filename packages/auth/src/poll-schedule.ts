const POLL_MS = 15_000
const RETRY_MS = 1_000
// Commits are not in the order of their timestamps: each poll begins this long before the last one.
const OVERLAP_MS = 60_000

interface Page {
  readonly asOf: string
  readonly next?: string
}

/** Reads what has changed in a list since it was last read, page by page; a failed read is retried soon. */
export class PollSchedule {
  #asOf: string | undefined
  #polledAt: number | undefined
  #failures = 0

  /** Up to when everything was read; undefined before the first time. */
  get asOf(): string | undefined {
    return this.#asOf
  }

  /** When the last read succeeded, on the clock of `performance.now`. */
  get polledAt(): number | undefined {
    return this.#polledAt
  }

  async read(readPage: (request: { since?: string; after?: string }) => Promise<Page>): Promise<void> {
    try {
      const since = this.#asOf && new Date(Date.parse(this.#asOf) - OVERLAP_MS).toISOString()
      const first = await readPage({ since })
      for (let after = first.next; after; ) after = (await readPage({ since, after })).next
      this.#asOf = first.asOf
      this.#polledAt = performance.now()
      this.#failures = 0
    } catch (error) {
      this.#failures++
      throw error
    }
  }

  /** A failed poll is retried soon: when NATS comes back, accounts may connect a moment after this service. */
  delay(): number {
    if (!this.#asOf) return RETRY_MS
    return this.#failures === 0 ? POLL_MS : Math.min(RETRY_MS * 2 ** (this.#failures - 1), POLL_MS)
  }
}
