import { Injectable } from '@nestjs/common'
import type { Node, NodeStatusInList } from '@trestle/contracts/nodes/nodes'
import { describeNode, describeStatus } from './description.js'
import { type OwnedId, WorkloadsService } from './workloads.service.js'

/** What callers do with nodes. */
@Injectable()
export class NodesService extends WorkloadsService<Node> {
  protected readonly kind = 'node'
  protected readonly describe = describeNode

  async statuses(of: { organizationId: string; all: boolean }): Promise<NodeStatusInList[]> {
    return (await this.repository.list(this.kind, of)).map((full) => ({ id: full.workload.id, ...describeStatus(full) }))
  }

  async status(owned: OwnedId) {
    return describeStatus(await this.find(owned))
  }
}
