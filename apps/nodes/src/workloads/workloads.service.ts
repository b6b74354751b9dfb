import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { PlansService } from '../plans/plans.service.js'
import { type DescriptionContext, withoutAuth } from './description.js'
import { checkPlanRoom } from './new-workload.js'
import { unknownWorkload, type WorkloadKey, type WorkloadKind, type WorkloadWithMachines } from './workload.js'
import { WorkloadAccessService } from './workload-access.service.js'
import { WorkloadsRepository } from './workloads.repository.js'

export type OwnedId = Pick<WorkloadKey, 'organizationId' | 'id'>

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

  async list(of: { organizationId: string; all: boolean }): Promise<T[]> {
    return this.describeAll(await this.repository.list(this.kind, of))
  }

  /** Of all organizations, for administrators. */
  async listAll({ all }: { all: boolean }): Promise<Omit<T, 'auth'>[]> {
    return (await this.describeAll(await this.repository.list(this.kind, { all }))).map(withoutAuth)
  }

  async get(owned: OwnedId): Promise<T> {
    const full = await this.find(owned)
    return this.describe(full, this.access.contextOf(full.workload, await this.plans.of(full.workload)))
  }

  /** Without an organization: whoever owns it. */
  async remove(owned: Pick<OwnedId, 'id'> & Partial<OwnedId>, { purge } = { purge: false }): Promise<{ id: string; state: 'removed' }> {
    const now = this.clock.now()
    const key = { ...owned, kind: this.kind }
    if (!(await (purge ? this.repository.purge(key, now) : this.repository.remove(key, now)))) throw unknownWorkload(this.kind)
    return { id: owned.id, state: 'removed' }
  }

  async restore(owned: OwnedId): Promise<T> {
    const now = this.clock.now()
    const removed = await this.repository.findInBin(this.keyOf(owned), now)
    if (!removed) throw unknownWorkload(this.kind)
    const plan = await this.plans.of(removed)
    if (!(await this.repository.restore(this.keyOf(owned), removed, now, (count) => checkPlanRoom(this.kind, count, plan))))
      throw unknownWorkload(this.kind)
    return this.get(owned)
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
    const expiresAt = ttl === undefined ? undefined : await this.expiryOf(owned, ttl)
    await this.repository.saveSettings(this.keyOf(owned), this.clock.now(), { ...settings, expiresAt })
    return this.get(owned)
  }

  /** To another organization in which the caller may create workloads. */
  async transfer(owned: OwnedId, organizationId: string): Promise<T> {
    const { workload } = await this.find(owned)
    const to = { organizationId, userId: workload.userId }
    const plan = await this.plans.of(to)
    const isTransferred = await this.repository.transfer(
      this.keyOf(owned),
      { ...to, expiresAt: plan.expiresAt },
      this.clock.now(),
      (count) => checkPlanRoom(this.kind, count, plan),
    )
    if (!isTransferred) throw unknownWorkload(this.kind)
    return this.get({ ...owned, organizationId })
  }

  private async expiryOf(owned: OwnedId, ttl: number): Promise<Date> {
    const { workload } = await this.find(owned)
    return this.plans.lifetimeOf(await this.plans.of(workload), ttl).expiresAt
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
    const planOf = await this.plans.ofAll(all.map(({ workload }) => workload))
    return Promise.all(all.map(async (full) => this.describe(full, this.access.contextOf(full.workload, await planOf(full.workload)))))
  }
}
