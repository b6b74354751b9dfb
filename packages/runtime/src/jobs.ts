import { Injectable } from '@nestjs/common'
import { Lifecycle } from './lifecycle.js'
import { Logger } from './logger.js'

const RETRY_MS = 5_000

/** Runs what has to be done again and again while the service lives. */
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
