import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import type { Retrier } from '@trestle/runtime/retrier'
import { EpochsService } from './epochs.service.js'
import { LedgerRunsService } from './ledger-runs.service.js'

/** Books each chain's epochs while this process runs and holds the lease. */
@Injectable()
export class EpochsJob implements OnApplicationBootstrap {
  constructor(
    private readonly epochs: EpochsService,
    private readonly runs: LedgerRunsService,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    for (const chain of this.runs.names()) {
      const words = { failure: 'epochs cannot be booked', recovery: 'epochs are booked again', fields: { chain } }
      this.jobs.runForever(words, (persistence) => this.follow(chain, persistence))
    }
  }

  private async follow(name: string, persistence: Retrier): Promise<void> {
    const { signal } = persistence
    while (!signal.aborted) {
      const run = await persistence.attempt(() => this.runs.begin(name, signal))
      while (run && !run.lease.signal.aborted && !signal.aborted) {
        const more = await persistence.attempt(() => this.epochs.bookNext(run))
        if (more === false) await delay(run.chain.secondsPerSlot * 1000, undefined, { signal }).catch(() => {})
      }
      await run?.lease.release()
    }
  }
}
