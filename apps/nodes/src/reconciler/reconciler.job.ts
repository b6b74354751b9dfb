import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import type { Retrier } from '@trestle/runtime/retrier'
import { DueWorkloadsService } from './due-workloads.service.js'
import { OrphansService } from './orphans.service.js'
import { ReconcilerService } from './reconciler.service.js'

const MESSAGES = { failure: 'nodes cannot be reconciled', recovery: 'nodes are reconciled again' }
const SWEEP_MS = 60_000

/** Reconciles while this process has the lease, and looks for orphans. */
@Injectable()
export class ReconcilerJob implements OnApplicationBootstrap {
  constructor(
    private readonly due: DueWorkloadsService,
    private readonly reconciler: ReconcilerService,
    private readonly orphans: OrphansService,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.runForever(MESSAGES, (persistence) => this.run(persistence))
    void this.jobs.every(SWEEP_MS, 'look for orphans', () => this.orphans.sweep())
  }

  private async run(persistence: Retrier): Promise<void> {
    const { signal } = persistence
    while (!signal.aborted) {
      const lease = await persistence.attempt(() => this.due.acquireLease(signal))
      if (!lease) continue
      const until = AbortSignal.any([lease.signal, signal])
      while (!until.aborted) await persistence.attempt(() => this.reconciler.run(lease, until))
      await lease.release()
    }
  }
}
