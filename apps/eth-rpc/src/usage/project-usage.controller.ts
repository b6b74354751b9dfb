import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { usage } from '@trestle/contracts/eth-rpc/usage'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { ProjectUsageService } from './project-usage.service.js'

@Controller()
export class ProjectUsageController {
  constructor(private readonly reports: ProjectUsageService) {}

  @Serves(usage.list)
  list(
    @CurrentCaller() { userId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof usage.list>,
  ): Promise<Reply<typeof usage.list>> {
    return this.reports.list({ ownerId: userId, id: params.projectId }, query)
  }
}
