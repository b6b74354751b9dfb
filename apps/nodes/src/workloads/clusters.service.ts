import { Injectable } from '@nestjs/common'
import type { Cluster, ClusterChange, CreatedCluster, NewCluster } from '@trestle/contracts/nodes/clusters'
import { ClusterChanges } from './cluster-changes.service.js'
import { Creation } from './creation.service.js'
import { describeCluster, describeCreatedCluster, describeMembers, describeStatus } from './description.js'
import { Views } from './views.service.js'
import { Workloads } from './workloads.service.js'
import { type Owned, WorkloadsOfKind } from './workloads-of-kind.service.js'

/** What callers do with clusters. */
@Injectable()
export class ClustersService extends WorkloadsOfKind<Cluster> {
  protected readonly kind = 'cluster'
  protected readonly describe = describeCluster

  constructor(
    protected readonly workloads: Workloads,
    protected readonly views: Views,
    private readonly creation: Creation,
    private readonly changes: ClusterChanges,
  ) {
    super()
  }

  async create(order: { userId: string; given: NewCluster; requestKey?: string }): Promise<CreatedCluster> {
    const { id } = await this.creation.create({ ...order, kind: this.kind })
    return this.views.of(await this.workloads.find(this.own({ userId: order.userId, id })), describeCreatedCluster)
  }

  async change(owned: Owned, given: ClusterChange): Promise<Cluster> {
    await this.changes.change(this.own(owned), given)
    return this.get(owned)
  }

  async abortUpdate(owned: Owned): Promise<Cluster> {
    await this.changes.abort(this.own(owned))
    return this.get(owned)
  }

  async setAlias(owned: Owned, alias: string | null): Promise<Cluster> {
    await this.changes.setAlias(this.own(owned), alias)
    return this.get(owned)
  }

  async status(owned: Owned) {
    const full = await this.workloads.find(this.own(owned))
    return { ...describeStatus(full), members: describeMembers(full.machines) }
  }
}
