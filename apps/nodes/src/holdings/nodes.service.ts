import { Injectable } from '@nestjs/common'
import type { CreatedNode, NewNode, Node, StatusInList } from '@trestle/contracts/nodes/nodes'
import { Creation } from './creation.service.js'
import { describeCreatedNode, describeNode, describeStatus } from './description.js'
import { Holdings } from './holdings.service.js'
import { HoldingsOfKind, type Owned } from './holdings-of-kind.service.js'
import { Views } from './views.service.js'

/** What callers do with nodes. */
@Injectable()
export class NodesService extends HoldingsOfKind<Node> {
  protected readonly kind = 'node'
  protected readonly describe = describeNode

  constructor(
    protected readonly holdings: Holdings,
    protected readonly views: Views,
    private readonly creation: Creation,
  ) {
    super()
  }

  async create(order: { userId: string; given: NewNode; requestKey?: string }): Promise<CreatedNode> {
    const { id } = await this.creation.create({ ...order, kind: this.kind })
    return this.views.of(await this.holdings.find(this.own({ userId: order.userId, id })), describeCreatedNode)
  }

  async change(owned: Owned, given: { allowedIps?: readonly string[]; ttl?: number }): Promise<Node> {
    return this.view(await this.holdings.change(this.own(owned), given))
  }

  async statuses(of: { userId: string; all: boolean }): Promise<StatusInList[]> {
    return (await this.holdings.list(this.kind, of)).map((full) => ({ id: full.holding.id, ...describeStatus(full) }))
  }

  async status(owned: Owned) {
    return describeStatus(await this.holdings.find(this.own(owned)))
  }
}
