import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { PlansService } from '../plans/plans.service.js'
import { type DescriptionContext, withoutAuth } from './description.js'
import { unknownWorkload, type WorkloadKey, type WorkloadKind, type WorkloadWithMachines } from './workload.js'
import { WorkloadAccessService } from './workload-access.service.js'
import { WorkloadsRepository } from './workloads.repository.js'

export type OwnedId = Pick<WorkloadKey, 'userId' | 'id'>

/** What owners and administrators do with nodes and clusters alike. */
@Injectable()
export abstract class WorkloadsService<T extends { readonly auth: unknown }> {
  protected abstract readonly kind: WorkloadKind

  constructor(
    protected readonly repository: WorkloadsRepository,
    private readonly plans: PlansService,
    private readonly access: WorkloadAccessService,
    private readonly clock: Clock,
  ) {}

  protected abstract describe(full: WorkloadWithMachines, context: DescriptionContext): T

  async list(of: { userId: string; all: boolean }): Promise<T[]> {
    return this.describeAll(await this.repository.list(this.kind, of))
  }

  /** Every user's, for administrators. */
  async listAll({ all }: { all: boolean }): Promise<Omit<T, 'auth'>[]> {
    return (await this.describeAll(await this.repository.list(this.kind, { all }))).map(withoutAuth)
  }

  async get(owned: OwnedId): Promise<T> {
    const full = await this.find(owned)
    return this.describe(full, this.access.contextOf(full.workload, await this.plans.of(full.workload.userId)))
  }

  /** Without a user: whoever owns it. */
  async remove(owned: Pick<OwnedId, 'id'> & Partial<OwnedId>): Promise<{ id: string; state: 'removed' }> {
    if (!(await this.repository.remove({ ...owned, kind: this.kind }, this.clock.now()))) throw unknownWorkload(this.kind)
    return { id: owned.id, state: 'removed' }
  }

  async stop(owned: OwnedId): Promise<T> {
    await this.repository.stop(this.keyOf(owned), this.clock.now())
    return this.get(owned)
  }

  async start(owned: OwnedId): Promise<T> {
    const isStarted = await this.repository.start(this.keyOf(owned), this.clock.now())
    const started = await this.get(owned)
    if (!isStarted) throw new Problem('conflict', 'Expired', `The ${this.kind} has expired. Extend its TTL before starting it.`)
    return started
  }

  async rotateCredentials(owned: OwnedId): Promise<T> {
    await this.repository.saveCredentials(this.keyOf(owned), this.clock.now(), this.access.issueCredentials(owned.id))
    return this.get(owned)
  }

  async change(owned: OwnedId, change: { allowedIps?: readonly string[]; ttl?: number; capacity?: number }): Promise<T> {
    const { ttl, ...settings } = change
    const expiresAt = ttl === undefined ? undefined : this.plans.lifetimeOf(await this.plans.of(owned.userId), ttl).expiresAt
    await this.repository.saveSettings(this.keyOf(owned), this.clock.now(), { ...settings, expiresAt })
    return this.get(owned)
  }

  protected async find(owned: OwnedId): Promise<WorkloadWithMachines> {
    const found = await this.repository.find(this.keyOf(owned))
    if (!found) throw unknownWorkload(this.kind)
    return found
  }

  private keyOf(owned: OwnedId): WorkloadKey {
    return { ...owned, kind: this.kind }
  }

  private async describeAll(all: readonly WorkloadWithMachines[]): Promise<T[]> {
    const plans = await this.plans.ofAll(all.map(({ workload }) => workload.userId))
    return Promise.all(
      all.map(async (full) => {
        const { userId } = full.workload
        return this.describe(full, this.access.contextOf(full.workload, plans.get(userId) ?? (await this.plans.of(userId))))
      }),
    )
  }
}
