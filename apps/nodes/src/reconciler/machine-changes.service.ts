import { randomBytes, randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import type { Blueprint } from '../catalogue/blueprint.js'
import { NodeSealerService } from '../sealing/node-sealer.service.js'
import type { Machine, Workload, WorkloadWithMachines } from '../workloads/workload.js'
import { planChanges } from './change-plan.js'
import { type NewMachine, ReconcilerRepository } from './reconciler.repository.js'

/** Records the changes to a workload's machines before a driver makes any, so that each machine has a row. */
@Injectable()
export class MachineChangesService {
  constructor(
    private readonly repository: ReconcilerRepository,
    private readonly sealer: NodeSealerService,
    private readonly clock: Clock,
  ) {}

  /** Stops a workload that has expired; returns whether it had. */
  async expire(lease: Lease, workload: Workload): Promise<boolean> {
    const now = this.clock.now()
    if (workload.desiredState !== 'started' || workload.expiresAt > now) return false
    await this.repository.expire(lease, workload, now)
    return true
  }

  async plan(lease: Lease, { workload, machines }: WorkloadWithMachines): Promise<readonly Machine[]> {
    const now = this.clock.now()
    const plan = planChanges(workload, machines, now)
    if (plan.add.length + plan.transitions.length + plan.drain.length === 0 && !plan.finish) return machines
    return this.repository.apply(lease, workload, { ...plan, made: plan.add.map((blueprint) => this.make(workload, blueprint)) }, now)
  }

  /** A node's machine has the node's id, so that it is never made twice. */
  private make({ kind, id: workloadId }: Workload, blueprint: Blueprint): NewMachine {
    const id = kind === 'node' ? workloadId : `node-${randomUUID()}`
    return { id, blueprint, sealedPassword: this.sealer.seal(randomBytes(24).toString('base64url'), id) }
  }
}
