import { Inject, Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { Changes } from './changes.service.js'
import { type DueWorkload, hasFailed, nextLook, type WorkloadLook } from './look.js'
import { MachineLooker } from './machine-looker.service.js'

/** One look at a workload: what is wanted of its machines is written down, and each taken a step nearer to it. */
@Injectable()
export class WorkloadLooker {
  constructor(
    private readonly changes: Changes,
    private readonly machines: MachineLooker,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'RECONCILE_MS'>,
  ) {}

  async look(lease: Lease, due: DueWorkload): Promise<WorkloadLook> {
    const { workload } = due
    if (await this.changes.expire(lease, workload)) return { workload, machines: [], lookAt: this.clock.now(), attempts: 0 }
    const machines = await this.machines.look(await this.changes.plan(lease, due))
    const attempts = machines.some(hasFailed) ? due.attempts + 1 : 0
    const pace = { now: this.clock.now(), steadyMs: this.env.RECONCILE_MS, spread: Math.random() }
    return { workload, machines, lookAt: nextLook(workload, machines, attempts, pace), attempts }
  }
}
