import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import type { Retrier } from '@trestle/runtime/retrier'
import { ChainsService } from '../chains/chains.service.js'
import { EpochsService } from './epochs.service.js'

/** Books each chain's epochs while this process runs and holds the lease. */
@Injectable()
export class EpochsJob implements OnApplicationBootstrap {
  constructor(
    private readonly epochs: EpochsService,
    private readonly chains: ChainsService,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    for (const chain of this.chains.names()) {
      const words = { failure: 'epochs cannot be booked', recovery: 'epochs are booked again', fields: { chain } }
      this.jobs.runForever(words, (retrier) => this.follow(chain, retrier))
    }
  }

  private async follow(name: string, retrier: Retrier): Promise<void> {
    const { signal } = retrier
    while (!signal.aborted) {
      const run = await retrier.attempt(async () => this.epochs.begin(await this.chains.get(name), signal))
      while (run && !run.lease.signal.aborted && !signal.aborted) {
        const more = await retrier.attempt(() => this.epochs.bookNext(run))
        if (more === false) await delay(run.chain.secondsPerSlot * 1000, undefined, { signal }).catch(() => {})
      }
      await run?.lease.release()
    }
  }
}
