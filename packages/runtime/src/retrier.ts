import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from './logger.js'

const RETRY_MS = 2_000

/** What the log says of a failure, and of its end. */
export interface RetryMessages {
  readonly failure: string
  readonly recovery: string
  /** Members of the log line. */
  readonly fields?: object
}

/** Does not give up: waits a while after a failure, and tells of it once for as long as it lasts. */
export class Retrier {
  private failure?: string

  constructor(
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    /** When to end. */
    readonly signal: AbortSignal,
    private readonly words: RetryMessages,
    private readonly retryMs = RETRY_MS,
  ) {}

  /** The result, or undefined where it failed; whoever calls tries again. Waits no longer, and tells nothing, once the signal says so. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { failure: fails, recovery: again, fields: about } = this.words
    try {
      const result = await work()
      if (this.failure !== undefined) this.logger.info({ ...about }, again)
      this.failure = undefined
      return result
    } catch (error) {
      if (this.signal.aborted) return undefined
      const { message } = error as Error
      if (message !== this.failure) this.logger.warn({ err: error, ...about }, fails)
      this.failure = message
      await delay(this.retryMs, undefined, { signal: this.signal }).catch(() => {})
      return undefined
    }
  }
}
