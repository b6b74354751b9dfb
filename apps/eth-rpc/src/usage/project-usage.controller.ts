import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { projectUsage } from '@trestle/contracts/eth-rpc/usage'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { ProjectUsageService } from './project-usage.service.js'

@Controller()
export class ProjectUsageController {
  constructor(private readonly reports: ProjectUsageService) {}

  @Serves(projectUsage.list)
  list(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof projectUsage.list>,
  ): Promise<Reply<typeof projectUsage.list>> {
    return this.reports.list({ organizationId, id: params.projectId }, query)
  }
}
