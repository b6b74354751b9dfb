import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import { ReconcilerRepository } from './reconciler.repository.js'
import type { DueWorkload, ReconciledWorkload } from './reconciliation.js'

const MAX_WAIT_MS = 5_000
// Of a thousand steady workloads one is due every 30 ms: they are handled several at a time.
const MIN_WAIT_MS = 200

/** The workloads that are due, by this process's clock. */
@Injectable()
export class DueWorkloadsService {
  constructor(
    private readonly repository: ReconcilerRepository,
    private readonly clock: Clock,
  ) {}

  /** Waits for the lease. */
  acquireLease(signal: AbortSignal): Promise<Lease> {
    return this.repository.acquire(signal)
  }

  next(limit: number, except: readonly string[]): Promise<DueWorkload[]> {
    return this.repository.due(this.clock.now(), { limit, except })
  }

  save(lease: Lease, results: readonly ReconciledWorkload[]): Promise<void> {
    return this.repository.save(lease, results, this.clock.now())
  }

  /** The result of a workload whose reconciliation threw: it is retried later. */
  postpone({ workload, attempts }: DueWorkload): ReconciledWorkload {
    return { workload, machines: [], reconcileAt: new Date(this.clock.now().getTime() + MAX_WAIT_MS), attempts: attempts + 1 }
  }

  async msUntilNext(except: readonly string[]): Promise<number> {
    const next = await this.repository.nextDue(except)
    return next ? Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, next.getTime() - this.clock.now().getTime())) : MAX_WAIT_MS
  }
}
