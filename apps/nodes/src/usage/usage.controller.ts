import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { usage } from '@trestle/contracts/nodes/usage'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { UsageReportsService } from './usage-reports.service.js'

@Controller()
export class UsageController {
  constructor(private readonly reports: UsageReportsService) {}

  @Serves(usage.ofNode)
  ofNode(
    @CurrentCaller() { userId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof usage.ofNode>,
  ): Promise<Reply<typeof usage.ofNode>> {
    return this.reports.list({ id: params.id, userId, kind: 'node' }, query)
  }

  @Serves(usage.ofCluster)
  ofCluster(
    @CurrentCaller() { userId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof usage.ofCluster>,
  ): Promise<Reply<typeof usage.ofCluster>> {
    return this.reports.list({ id: params.id, userId, kind: 'cluster' }, query)
  }
}
