import { Injectable } from '@nestjs/common'
import type { Input } from '@trestle/contracts/endpoint'
import type { NodeUsage, workloadUsage } from '@trestle/contracts/nodes/usage'
import { Problem } from '@trestle/problem/problem'
import { UsageService } from '@trestle/usage/usage.service'
import { type OwnedWorkload, OwnedWorkloadsRepository } from './owned-workloads.repository.js'

const UNKNOWN = {
  node: () => new Problem('unknown', 'UnknownNode', 'You have no such node.'),
  cluster: () => new Problem('unknown', 'UnknownCluster', 'You have no such cluster.'),
}

@Injectable()
export class UsageReportsService {
  constructor(
    private readonly workloads: OwnedWorkloadsRepository,
    private readonly usage: UsageService<string>,
  ) {}

  async list(owned: OwnedWorkload, query: Input<typeof workloadUsage.ofNode>['query']): Promise<NodeUsage> {
    if (!(await this.workloads.has(owned))) throw UNKNOWN[owned.kind]()
    const report = await this.usage.report(owned.id, query, { granularity: 'hour', maxDays: 31 })
    return { ...report, usage: report.usage.map(({ latency: _, ...row }) => row) }
  }
}
