import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '@trestle/problem/thrown'
import type { Logger } from './logger.js'

const RETRY_MS = 2_000

/** The log messages for a failure and for its end. */
export interface RetryMessages {
  readonly failure: string
  readonly recovery: string
  /** Fields of the log line. */
  readonly fields?: object
}

/** For work that never gives up: pauses after a failure, and logs each failure once for as long as it lasts. */
export class Retrier {
  private lastFailure?: string

  constructor(
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    readonly signal: AbortSignal,
    private readonly messages: RetryMessages,
    private readonly retryMs = RETRY_MS,
  ) {}

  /** The result, or undefined after a failure and a pause; the caller tries again. Once the signal aborts there is neither pause nor log line. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { failure: fails, recovery: again, fields: about } = this.messages
    try {
      const result = await work()
      if (this.lastFailure !== undefined) this.logger.info({ ...about }, again)
      this.lastFailure = undefined
      return result
    } catch (error) {
      if (this.signal.aborted) return undefined
      const message = messageOf(error)
      if (message !== this.lastFailure) this.logger.warn({ err: error, ...about }, fails)
      this.lastFailure = message
      await delay(this.retryMs, undefined, { signal: this.signal }).catch(() => {})
      return undefined
    }
  }
}
