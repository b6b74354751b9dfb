import { Injectable } from '@nestjs/common'
import type { Cluster, ClusterChange, CreatedCluster, NewCluster } from '@trestle/contracts/nodes/clusters'
import { ClusterChanges } from './cluster-changes.service.js'
import { Creation } from './creation.service.js'
import { describeCluster, describeCreatedCluster, describeMembers, describeStatus, withoutAuth } from './description.js'
import { Holdings } from './holdings.service.js'
import { Views } from './views.service.js'

interface Owned {
  readonly userId: string
  readonly id: string
}

/** What callers do with clusters. */
@Injectable()
export class ClustersService {
  constructor(
    private readonly holdings: Holdings,
    private readonly creation: Creation,
    private readonly views: Views,
    private readonly changes: ClusterChanges,
  ) {}

  async create(order: { userId: string; given: NewCluster; requestKey?: string }): Promise<CreatedCluster> {
    const { id } = await this.creation.create({ ...order, kind: 'cluster' })
    return this.views.of(await this.holdings.find({ userId: order.userId, kind: 'cluster', id }), describeCreatedCluster)
  }

  async list(of: { userId: string; all: boolean }): Promise<Cluster[]> {
    return this.views.ofAll(await this.holdings.list('cluster', of), describeCluster)
  }

  /** Everybody's. */
  async listAll({ all }: { all: boolean }): Promise<Omit<Cluster, 'auth'>[]> {
    return this.views.ofAll(await this.holdings.list('cluster', { all }), (...each) => withoutAuth(describeCluster(...each)))
  }

  async get(owned: Owned): Promise<Cluster> {
    return this.views.of(await this.holdings.find({ ...owned, kind: 'cluster' }), describeCluster)
  }

  async change(owned: Owned, given: ClusterChange): Promise<Cluster> {
    await this.changes.change({ ...owned, kind: 'cluster' }, given)
    return this.get(owned)
  }

  async abortUpdate(owned: Owned): Promise<Cluster> {
    await this.changes.abort({ ...owned, kind: 'cluster' })
    return this.get(owned)
  }

  async setAlias(owned: Owned, alias: string | null): Promise<Cluster> {
    await this.changes.setAlias({ ...owned, kind: 'cluster' }, alias)
    return this.get(owned)
  }

  remove(owned: { readonly id: string; readonly userId?: string }) {
    return this.holdings.remove({ ...owned, kind: 'cluster' })
  }

  async stop(owned: Owned): Promise<Cluster> {
    return this.views.of(await this.holdings.stop({ ...owned, kind: 'cluster' }), describeCluster)
  }

  async start(owned: Owned): Promise<Cluster> {
    return this.views.of(await this.holdings.start({ ...owned, kind: 'cluster' }), describeCluster)
  }

  async rotateCredentials(owned: Owned): Promise<Cluster> {
    return this.views.of(await this.holdings.rotateCredentials({ ...owned, kind: 'cluster' }), describeCluster)
  }

  async status(owned: Owned) {
    const full = await this.holdings.find({ ...owned, kind: 'cluster' })
    return { ...describeStatus(full), members: describeMembers(full.machines) }
  }
}
