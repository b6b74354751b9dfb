import { Injectable } from '@nestjs/common'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import { describeCluster, describeMembers, describeStatus } from './description.js'
import { type OwnedId, WorkloadsService } from './workloads.service.js'

/** What callers do with clusters; ClusterChangesService has the rest. */
@Injectable()
export class ClustersService extends WorkloadsService<Cluster> {
  protected readonly kind = 'cluster'
  protected readonly describe = describeCluster

  async status(owned: OwnedId) {
    const full = await this.find(owned)
    return { ...describeStatus(full), members: describeMembers(full.machines) }
  }
}
