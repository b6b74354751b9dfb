import type { EventSubscriptions } from '@trestle/messaging/event-subscriptions'
import type { Logger } from '@trestle/runtime/logger'
import { type PeriodicTask, runPeriodically } from './periodic-task.js'

const POLL_MS = 15_000
const RETRY_MS = 1_000
// Commits are not in the order of their timestamps: each poll begins this long before the last one.
const OVERLAP_MS = 60_000

interface Page {
  readonly asOf: string
  readonly next?: string
}

/** Reads what has changed in a list since it was last read, page by page; a failed read is retried soon. */
export class PolledList {
  #asOf: string | undefined
  #polledAt: number | undefined
  #failures = 0
  #polling: PeriodicTask | undefined

  constructor(
    private readonly name: string,
    private readonly readPage: (request: { since?: string; after?: string }) => Promise<Page>,
    private readonly events: EventSubscriptions,
    private readonly logger: Logger,
  ) {}

  /** Up to when everything was read; undefined before the first time. */
  get asOf(): string | undefined {
    return this.#asOf
  }

  /** When the last read succeeded, on the clock of `performance.now`. */
  get polledAt(): number | undefined {
    return this.#polledAt
  }

  start(): void {
    this.#polling = runPeriodically(
      () => this.poll(),
      () => this.delay(),
    )
    this.events.onConnected(() => this.#polling?.runNow())
  }

  stop(): void {
    this.#polling?.stop()
  }

  /** A failure keeps everything as it is. */
  async poll(): Promise<void> {
    try {
      const since = this.#asOf && new Date(Date.parse(this.#asOf) - OVERLAP_MS).toISOString()
      const first = await this.readPage({ since })
      for (let after = first.next; after; ) after = (await this.readPage({ since, after })).next
      this.#asOf = first.asOf
      this.#polledAt = performance.now()
      this.#failures = 0
    } catch (error) {
      this.#failures++
      this.logger.warn({ err: error }, `the ${this.name} could not be read`)
    }
  }

  /** A failed poll is retried soon: when NATS comes back, accounts may connect a moment after this service. */
  private delay(): number {
    if (!this.#asOf) return RETRY_MS
    return this.#failures === 0 ? POLL_MS : Math.min(RETRY_MS * 2 ** (this.#failures - 1), POLL_MS)
  }
}
