import { Injectable } from '@nestjs/common'
import type { CreatedNode, NewNode, Node } from '@trestle/contracts/nodes/nodes'
import { Creation } from './creation.service.js'
import { describeCreatedNode, describeNode, describeStatus, withoutAuth } from './description.js'
import { Holdings } from './holdings.service.js'
import { Views } from './views.service.js'

interface Owned {
  readonly userId: string
  readonly id: string
}

/** What callers do with nodes. */
@Injectable()
export class NodesService {
  constructor(
    private readonly holdings: Holdings,
    private readonly creation: Creation,
    private readonly views: Views,
  ) {}

  async create(order: { userId: string; given: NewNode; requestKey?: string }): Promise<CreatedNode> {
    const { id } = await this.creation.create({ ...order, kind: 'node' })
    return this.views.of(await this.holdings.find({ userId: order.userId, kind: 'node', id }), describeCreatedNode)
  }

  async list(of: { userId: string; all: boolean }): Promise<Node[]> {
    return this.views.ofAll(await this.holdings.list('node', of), describeNode)
  }

  /** Everybody's. */
  async listAll({ all }: { all: boolean }): Promise<Omit<Node, 'auth'>[]> {
    return this.views.ofAll(await this.holdings.list('node', { all }), (...each) => withoutAuth(describeNode(...each)))
  }

  async get(owned: Owned): Promise<Node> {
    return this.views.of(await this.holdings.find({ ...owned, kind: 'node' }), describeNode)
  }

  async change(owned: Owned, given: { allowedIps?: readonly string[]; ttl?: number }): Promise<Node> {
    return this.views.of(await this.holdings.change({ ...owned, kind: 'node' }, given), describeNode)
  }

  remove(owned: Owned) {
    return this.holdings.remove({ ...owned, kind: 'node' })
  }

  async stop(owned: Owned): Promise<Node> {
    return this.views.of(await this.holdings.stop({ ...owned, kind: 'node' }), describeNode)
  }

  async start(owned: Owned): Promise<Node> {
    return this.views.of(await this.holdings.start({ ...owned, kind: 'node' }), describeNode)
  }

  async rotateCredentials(owned: Owned): Promise<Node> {
    return this.views.of(await this.holdings.rotateCredentials({ ...owned, kind: 'node' }), describeNode)
  }

  async status(owned: Owned) {
    return describeStatus(await this.holdings.find({ ...owned, kind: 'node' }))
  }
}
