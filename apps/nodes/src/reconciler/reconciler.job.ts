import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import type { Retrier } from '@trestle/runtime/retrier'
import { DueWorkloads } from './due-workloads.service.js'
import { Orphans } from './orphans.service.js'
import { Reconciler } from './reconciler.service.js'

const WORDS = { failure: 'nodes cannot be reconciled', recovery: 'nodes are reconciled again' }
const SWEEP_MS = 60_000

/** Reconciles for as long as this process lives, whenever it is its turn. */
@Injectable()
export class ReconcilerJob implements OnApplicationBootstrap {
  constructor(
    private readonly due: DueWorkloads,
    private readonly reconciler: Reconciler,
    private readonly orphans: Orphans,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.runForever(WORDS, (persistence) => this.run(persistence))
    void this.jobs.every(SWEEP_MS, "look for what is nobody's", () => this.orphans.sweep())
  }

  private async run(persistence: Retrier): Promise<void> {
    const { signal } = persistence
    while (!signal.aborted) {
      const lease = await persistence.attempt(() => this.due.begin(signal))
      if (!lease) continue
      const until = AbortSignal.any([lease.signal, signal])
      while (!until.aborted) await persistence.attempt(() => this.reconciler.run(lease, until))
      await lease.release()
    }
  }
}
