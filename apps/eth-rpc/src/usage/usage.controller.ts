import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { usage } from '@trestle/contracts/eth-rpc/usage'
import { Caller, Parsed, Serves } from '@trestle/runtime/serves'
import { UsageReportsService } from './usage-reports.service.js'

@Controller()
export class UsageController {
  constructor(private readonly reports: UsageReportsService) {}

  @Serves(usage.list)
  list(@Caller() { userId }: Caller, @Parsed() { params, query }: Input<typeof usage.list>): Promise<Reply<typeof usage.list>> {
    return this.reports.list({ ownerId: userId, id: params.projectId }, query)
  }
}
