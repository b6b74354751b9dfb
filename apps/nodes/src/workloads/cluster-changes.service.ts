import { Injectable } from '@nestjs/common'
import type { Cluster, ClusterChange } from '@trestle/contracts/nodes/clusters'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { CatalogueEntriesService } from '../catalogue/catalogue-entries.service.js'
import { ClustersService } from './clusters.service.js'
import { unknownWorkload } from './workload.js'
import { WorkloadsRepository } from './workloads.repository.js'
import type { OwnedId } from './workloads.service.js'

/** What only clusters have: another service, another capacity, an alias. */
@Injectable()
export class ClusterChangesService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly repository: WorkloadsRepository,
    private readonly catalogue: CatalogueEntriesService,
    private readonly clock: Clock,
  ) {}

  async change(owned: OwnedId, { serviceId, ...settings }: ClusterChange): Promise<Cluster> {
    if (serviceId !== undefined) await this.changeService(owned, serviceId)
    return this.clusters.change(owned, settings)
  }

  async abort(owned: OwnedId): Promise<Cluster> {
    const cluster = await this.clusters.get(owned)
    if (!(await this.repository.clearNextBlueprint({ ...owned, kind: 'cluster' }, this.clock.now())))
      throw new Problem('conflict', 'NothingUpdating', `The service of ${cluster.name} is not being changed.`)
    return this.clusters.get(owned)
  }

  async setAlias(owned: OwnedId, alias: string | null): Promise<Cluster> {
    await this.repository.saveAlias({ ...owned, kind: 'cluster' }, this.clock.now(), alias)
    return this.clusters.get(owned)
  }

  private async changeService(owned: OwnedId, serviceId: string): Promise<void> {
    const key = { ...owned, kind: 'cluster' } as const
    const { workload } = (await this.repository.find(key)) ?? {}
    if (!workload) throw unknownWorkload('cluster')
    const next = await this.catalogue.choose({ serviceId }, 'cluster')
    const { chain, network } = workload.blueprint
    if (next.chain !== chain || next.network !== network) {
      throw new Problem(
        'conflict',
        'OtherChain',
        `The cluster runs ${chain} ${network}, and the service is of ${next.chain} ${next.network}.`,
      )
    }
    if (serviceId === workload.blueprint.serviceId && !workload.nextBlueprint) return
    if (await this.repository.saveNextBlueprint(key, this.clock.now(), next)) return
    throw new Problem('conflict', 'ClusterUpdating', 'The cluster is being changed to another service: wait, or abort that change.')
  }
}
