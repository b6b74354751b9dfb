import { Injectable } from '@nestjs/common'
import type { CreatedNode, NewNode, Node, StatusInList } from '@trestle/contracts/nodes/nodes'
import { Creation } from './creation.service.js'
import { describeCreatedNode, describeNode, describeStatus } from './description.js'
import { Views } from './views.service.js'
import { Workloads } from './workloads.service.js'
import { type Owned, WorkloadsOfKind } from './workloads-of-kind.service.js'

/** What callers do with nodes. */
@Injectable()
export class NodesService extends WorkloadsOfKind<Node> {
  protected readonly kind = 'node'
  protected readonly describe = describeNode

  constructor(
    protected readonly workloads: Workloads,
    protected readonly views: Views,
    private readonly creation: Creation,
  ) {
    super()
  }

  async create(order: { userId: string; given: NewNode; requestKey?: string }): Promise<CreatedNode> {
    const { id } = await this.creation.create({ ...order, kind: this.kind })
    return this.views.of(await this.workloads.find(this.own({ userId: order.userId, id })), describeCreatedNode)
  }

  async change(owned: Owned, given: { allowedIps?: readonly string[]; ttl?: number }): Promise<Node> {
    return this.view(await this.workloads.change(this.own(owned), given))
  }

  async statuses(of: { userId: string; all: boolean }): Promise<StatusInList[]> {
    return (await this.workloads.list(this.kind, of)).map((full) => ({ id: full.workload.id, ...describeStatus(full) }))
  }

  async status(owned: Owned) {
    return describeStatus(await this.workloads.find(this.own(owned)))
  }
}
