import { setTimeout as delay } from 'node:timers/promises'
import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Logger } from '@trestle/runtime/logger'
import { DueWorkloadsService } from './due-workloads.service.js'
import { ReconcilerSignal } from './reconciler-signal.engine.js'
import type { DueWorkload, ReconciledWorkload } from './reconciliation.js'
import { WorkloadReconcilerService } from './workload-reconciler.service.js'

const MAX_AT_ONCE = 32
// Results of this time are written in one transaction.
const GATHER_MS = 100
const MAX_IDLE_MS = 60_000

/** What is being reconciled; not started again before its result is written. */
interface InProgress {
  readonly running: Map<string, Promise<void>>
  readonly finished: ReconciledWorkload[]
}

/** Reconciles what is due under a lease, and writes the results. */
@Injectable()
export class ReconcilerService {
  constructor(
    private readonly due: DueWorkloadsService,
    private readonly reconciler: WorkloadReconcilerService,
    private readonly signal: ReconcilerSignal,
    private readonly logger: Logger,
  ) {}

  /** Runs until the signal is aborted or Postgres fails; then waits for what is in progress. */
  async run(lease: Lease, until: AbortSignal): Promise<void> {
    const inProgress: InProgress = { running: new Map(), finished: [] }
    try {
      while (!until.aborted) {
        await this.runBatch(lease, inProgress)
        await this.idle(inProgress, until)
      }
    } finally {
      await Promise.all(inProgress.running.values())
    }
  }

  private async runBatch(lease: Lease, { running, finished }: InProgress): Promise<void> {
    const done = finished.splice(0)
    if (done.length > 0) await this.due.save(lease, done)
    for (const { workload } of done) running.delete(workload.id)
    const free = MAX_AT_ONCE - running.size
    if (free === 0) return
    for (const due of await this.due.next(free, [...running.keys()])) running.set(due.workload.id, this.reconcile(lease, due, finished))
  }

  private async reconcile(lease: Lease, due: DueWorkload, finished: ReconciledWorkload[]): Promise<void> {
    try {
      finished.push(await this.reconciler.reconcile(lease, due))
    } catch (error) {
      if (!lease.signal.aborted) this.logger.error({ err: error, workload: due.workload.id }, 'a workload could not be reconciled')
      finished.push(this.due.postpone(due))
    }
    this.signal.wake()
  }

  private async idle({ running, finished }: InProgress, until: AbortSignal): Promise<void> {
    await delay(GATHER_MS, undefined, { signal: until }).catch(() => {})
    if (finished.length > 0) return
    const ms = running.size < MAX_AT_ONCE ? await this.due.msUntilNext([...running.keys()]) : MAX_IDLE_MS
    await this.signal.wait(ms, until)
  }
}
