import { Inject, Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { MachineChangesService } from './machine-changes.service.js'
import { MachineReconcilerService } from './machine-reconciler.service.js'
import { type DueWorkload, hasFailed, nextReconcileAt, type ReconciledWorkload } from './reconciliation.js'

/** Reconciles one workload: records the changes to its machines, and takes the next step of each. */
@Injectable()
export class WorkloadReconcilerService {
  constructor(
    private readonly changes: MachineChangesService,
    private readonly machines: MachineReconcilerService,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'RECONCILE_MS'>,
  ) {}

  async reconcile(lease: Lease, due: DueWorkload): Promise<ReconciledWorkload> {
    const { workload } = due
    if (await this.changes.expire(lease, workload)) return { workload, machines: [], reconcileAt: this.clock.now(), attempts: 0 }
    const machines = await this.machines.reconcile(await this.changes.plan(lease, due))
    const attempts = machines.some(hasFailed) ? due.attempts + 1 : 0
    const pace = { now: this.clock.now(), steadyMs: this.env.RECONCILE_MS, spread: Math.random() }
    return { workload, machines, reconcileAt: nextReconcileAt(workload, machines, attempts, pace), attempts }
  }
}
