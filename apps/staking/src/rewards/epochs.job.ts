import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { LeaseLost } from '@trestle/database/lease'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Epochs } from './epochs.service.js'
import { LedgerRuns } from './ledger-runs.service.js'

const RETRY_MS = 2_000

/** Writes each chain's ledger for as long as this process lives, whenever it is its turn. */
@Injectable()
export class EpochsJob implements OnApplicationBootstrap {
  private readonly stop = new AbortController()
  private running: Promise<unknown> = Promise.resolve()
  private readonly failures = new Map<string, string>()

  constructor(
    private readonly epochs: Epochs,
    private readonly runs: LedgerRuns,
    private readonly logger: Logger,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain(async () => {
      this.stop.abort()
      await this.running
    })
  }

  onApplicationBootstrap(): void {
    this.running = Promise.all(this.runs.names().map((name) => this.follow(name)))
  }

  private async follow(name: string): Promise<void> {
    const { signal } = this.stop
    while (!signal.aborted) {
      const run = await this.attempt(name, () => this.runs.begin(name, signal))
      while (run && !run.lease.signal.aborted && !signal.aborted) {
        const more = await this.attempt(name, () => this.epochs.turn(run))
        if (more === false) await delay(run.chain.secondsPerSlot * 1000, undefined, { signal }).catch(() => {})
      }
      await run?.lease.release()
    }
  }

  /** A failure is tried again in a while, and told once for as long as it lasts. */
  private async attempt<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      if (this.failures.delete(name)) this.logger.info({ chain: name }, 'epochs are booked again')
      return result
    } catch (error) {
      if (this.stop.signal.aborted) return undefined
      this.report(name, error as Error)
      await delay(RETRY_MS, undefined, { signal: this.stop.signal }).catch(() => {})
      return undefined
    }
  }

  private report(name: string, error: Error): void {
    if (error instanceof LeaseLost) this.logger.warn({ err: error }, 'somebody else books epochs now')
    else if (error.message !== this.failures.get(name)) this.logger.warn({ err: error, chain: name }, 'epochs cannot be booked')
    this.failures.set(name, error.message)
  }
}
