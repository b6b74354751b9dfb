import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { workloadUsage } from '@trestle/contracts/nodes/usage'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { UsageReportsService } from './usage-reports.service.js'

@Controller()
export class UsageController {
  constructor(private readonly reports: UsageReportsService) {}

  @Serves(workloadUsage.ofNode)
  ofNode(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof workloadUsage.ofNode>,
  ): Promise<Reply<typeof workloadUsage.ofNode>> {
    return this.reports.list({ id: params.id, organizationId, kind: 'node' }, query)
  }

  @Serves(workloadUsage.ofCluster)
  ofCluster(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof workloadUsage.ofCluster>,
  ): Promise<Reply<typeof workloadUsage.ofCluster>> {
    return this.reports.list({ id: params.id, organizationId, kind: 'cluster' }, query)
  }
}
