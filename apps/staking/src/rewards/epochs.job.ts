import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Persistence } from '@trestle/runtime/persistence'
import { Epochs } from './epochs.service.js'
import { LedgerRuns } from './ledger-runs.service.js'

/** Writes each chain's ledger for as long as this process lives, whenever it is its turn. */
@Injectable()
export class EpochsJob implements OnApplicationBootstrap {
  private readonly stop = new AbortController()
  private running: Promise<unknown> = Promise.resolve()

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
    const words = { fails: 'epochs cannot be booked', again: 'epochs are booked again', about: { chain: name } }
    const persistence = new Persistence(this.logger, signal, words)
    while (!signal.aborted) {
      const run = await persistence.attempt(() => this.runs.begin(name, signal))
      while (run && !run.lease.signal.aborted && !signal.aborted) {
        const more = await persistence.attempt(() => this.epochs.turn(run))
        if (more === false) await delay(run.chain.secondsPerSlot * 1000, undefined, { signal }).catch(() => {})
      }
      await run?.lease.release()
    }
  }
}
