import { Injectable } from '@nestjs/common'
import { Lifecycle } from './lifecycle.js'
import { Logger } from './logger.js'
import { Retrier, type RetryMessages } from './retrier.js'

const RETRY_MS = 5_000

/** Runs what is done while the service lives, again and again or all the time. */
@Injectable()
export class Jobs {
  constructor(
    private readonly lifecycle: Lifecycle,
    private readonly logger: Logger,
  ) {}

  /** Runs a task now and again some time after each run, never twice at once; settles when the first run has ended, well or not. */
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

  /** Runs what goes on until the service stops: then the signal says so, and its end is waited for. */
  run(work: (signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController()
    const running = work(stop.signal)
    this.lifecycle.onDrain(() => {
      stop.abort()
      return running
    })
  }

  /** Like `run`, for what does not give up. */
  runForever(words: RetryMessages, work: (persistence: Retrier) => Promise<void>): void {
    this.run((signal) => work(new Retrier(this.logger, signal, words)))
  }

  private async attempt(name: string, task: () => Promise<void>): Promise<boolean> {
    try {
      await task()
      return true
    } catch (error) {
      this.logger.error({ err: error, job: name }, 'a job failed and will be tried again')
      return false
    }
  }
}
