import { Injectable } from '@nestjs/common'
import { Lifecycle } from './lifecycle.js'
import { Logger } from './logger.js'
import { Metrics } from './metrics.js'
import { Retrier, type RetryMessages } from './retrier.js'

const RETRY_MS = 5_000

/** Runs work at intervals, or for as long as the service runs. */
@Injectable()
export class Jobs {
  constructor(
    private readonly lifecycle: Lifecycle,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** Runs a task now, and again after each run and an interval. Resolves when the first run has ended, even if it failed. */
  every(intervalMs: number, name: string, task: () => Promise<void>): Promise<void> {
    let stopped = false
    let timer: NodeJS.Timeout | undefined
    let running: Promise<void>
    const run = async () => {
      const succeeded = await this.attempt(name, task)
      if (!stopped) timer = setTimeout(start, succeeded ? intervalMs : Math.min(intervalMs, RETRY_MS)).unref()
    }
    const start = () => {
      running = run()
      return running
    }
    this.lifecycle.onDrain(() => {
      stopped = true
      clearTimeout(timer)
      return running
    })
    return start()
  }

  /** Runs work that ends when the signal aborts: the stop of the service aborts it and waits for its end. */
  run(work: (signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController()
    const running = work(stop.signal)
    this.lifecycle.onDrain(() => {
      stop.abort()
      return running
    })
  }

  /** Like `run`, with a `Retrier` for work that never gives up. */
  runForever(messages: RetryMessages, work: (retrier: Retrier) => Promise<void>): void {
    this.run((signal) => work(new Retrier(this.logger, signal, messages)))
  }

  private async attempt(name: string, task: () => Promise<void>): Promise<boolean> {
    try {
      await task()
      this.metrics.jobSucceeded.labels(name).setToCurrentTime()
      return true
    } catch (error) {
      this.logger.error({ err: error, job: name }, 'a job failed and will be retried')
      return false
    }
  }
}
