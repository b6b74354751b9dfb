import { randomBytes, randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import type { Blueprint } from '../catalogue/blueprint.js'
import { NodeSealerService } from '../sealing/node-sealer.service.js'
import type { Machine, Workload, WorkloadWithMachines } from '../workloads/workload.js'
import { planChanges } from './change-plan.js'
import { type NewMachine, ReconcilerRepository } from './reconciler.repository.js'

/** Writes down what a workload's machines are to become, before anything is done: whatever a driver makes is somebody's. */
@Injectable()
export class Changes {
  constructor(
    private readonly repository: ReconcilerRepository,
    private readonly sealer: NodeSealerService,
    private readonly clock: Clock,
  ) {}

  /** Whether its time was over. */
  async expire(lease: Lease, workload: Workload): Promise<boolean> {
    const now = this.clock.now()
    if (workload.desiredState !== 'started' || workload.expiresAt > now) return false
    await this.repository.expire(lease, workload, now)
    return true
  }

  async plan(lease: Lease, { workload, machines }: WorkloadWithMachines): Promise<readonly Machine[]> {
    const now = this.clock.now()
    const plan = planChanges(workload, machines, now)
    if (plan.add.length + plan.wish.length + plan.drain.length === 0 && !plan.finish) return machines
    return this.repository.carryOut(lease, workload, { ...plan, made: plan.add.map((blueprint) => this.make(workload, blueprint)) }, now)
  }

  /** A node's machine is the node; made twice, it is one. */
  private make({ kind, id: workloadId }: Workload, blueprint: Blueprint): NewMachine {
    const id = kind === 'node' ? workloadId : `node-${randomUUID()}`
    return { id, blueprint, sealedPassword: this.sealer.seal(randomBytes(24).toString('base64url'), id) }
  }
}
