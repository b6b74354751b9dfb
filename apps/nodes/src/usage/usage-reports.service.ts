import { Injectable } from '@nestjs/common'
import type { Input } from '@trestle/contracts/endpoint'
import type { NodeUsage, usage } from '@trestle/contracts/nodes/usage'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import { outlivedBefore, rangeOf } from '@trestle/usage/usage-range'
import { type Owned, UsageRepository } from './usage.repository.js'

const TELLING = { granularity: 'hour', maxDays: 31 } as const

const UNKNOWN = {
  node: () => new Problem('unknown', 'UnknownNode', 'You have no such node.'),
  cluster: () => new Problem('unknown', 'UnknownCluster', 'You have no such cluster.'),
}

@Injectable()
export class UsageReports {
  constructor(
    private readonly repository: UsageRepository,
    private readonly clock: Clock,
  ) {}

  async list(owned: Owned, query: Input<typeof usage.ofNode>['query']): Promise<NodeUsage> {
    const { from, to } = rangeOf(query, this.clock.now(), TELLING)
    if (!(await this.repository.isOwned(owned))) throw UNKNOWN[owned.kind]()
    const rows = await this.repository.list({ workload: owned.id, from, to })
    return { from: from.toISOString(), to: to.toISOString(), usage: rows }
  }

  async removeOutlived(): Promise<void> {
    await this.repository.removeBefore(outlivedBefore(this.clock.now()))
  }
}
