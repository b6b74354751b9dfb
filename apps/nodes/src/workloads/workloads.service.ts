import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { PlansService } from '../plans/plans.service.js'
import { NodeCredentials } from './credentials.service.js'
import { expiryOf } from './lifetime.js'
import type { WorkloadKind, WorkloadWithMachines } from './workload.js'
import { type AnyOwnership, type DisabledOwner, type Ownership, WorkloadsRepository } from './workloads.repository.js'

/** What the owner of a node does with it, and the owner of a cluster alike. */
@Injectable()
export class Workloads {
  constructor(
    private readonly repository: WorkloadsRepository,
    private readonly plans: PlansService,
    private readonly credentials: NodeCredentials,
    private readonly clock: Clock,
  ) {}

  list(kind: WorkloadKind, of: { readonly userId?: string; readonly all: boolean }): Promise<WorkloadWithMachines[]> {
    return this.repository.list(kind, of)
  }

  async find(ownership: Ownership): Promise<WorkloadWithMachines> {
    const found = await this.repository.find(ownership)
    if (!found) throw unknown(ownership.kind)
    return found
  }

  async start(ownership: Ownership): Promise<WorkloadWithMachines> {
    const isStarted = await this.repository.start(ownership, this.clock.now())
    const found = await this.find(ownership)
    if (!isStarted)
      throw new Problem('conflict', 'Expired', `The ${ownership.kind} has expired. Extend its TTL before starting it: PATCH with ttl.`)
    return found
  }

  async stop(ownership: Ownership): Promise<WorkloadWithMachines> {
    await this.repository.stop(ownership, this.clock.now())
    return this.find(ownership)
  }

  /** Their data and credentials stay: whoever is enabled again may start them. */
  stopAllOf(owners: readonly DisabledOwner[]): Promise<void> {
    return this.repository.stopAllOf(owners, this.clock.now())
  }

  async remove(ownership: AnyOwnership): Promise<{ id: string; state: 'removed' }> {
    if (!(await this.repository.remove(ownership, this.clock.now()))) throw unknown(ownership.kind)
    return { id: ownership.id, state: 'removed' }
  }

  async rotateCredentials(ownership: Ownership): Promise<WorkloadWithMachines> {
    await this.repository.saveCredentials(ownership, this.clock.now(), this.credentials.make(ownership.id))
    return this.find(ownership)
  }

  async change(
    ownership: Ownership,
    given: { allowedIps?: readonly string[]; ttl?: number; capacity?: number },
  ): Promise<WorkloadWithMachines> {
    const { allowedIps, ttl, capacity } = given
    const now = this.clock.now()
    const expiresAt = ttl === undefined ? undefined : expiryOf({ ttl }, await this.plans.of(ownership.userId), now)
    await this.repository.saveSettings(ownership, now, { allowedIps, capacity, expiresAt })
    return this.find(ownership)
  }
}

function unknown(kind: WorkloadKind): Problem {
  const code = kind === 'node' ? 'UnknownNode' : 'UnknownCluster'
  return new Problem('unknown', code, `You have no such ${kind}.`)
}
