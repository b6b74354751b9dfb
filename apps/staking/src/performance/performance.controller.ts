import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { staking } from '@trestle/contracts/staking/api'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { PerformanceService } from './performance.service.js'

const { performance } = staking

@Controller()
export class PerformanceController {
  constructor(private readonly service: PerformanceService) {}

  @Serves(performance.get)
  get(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof performance.get>,
  ): Promise<Reply<typeof performance.get>> {
    return this.service.get({ organizationId, ...params }, query)
  }

  @Serves(performance.days)
  days(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, query }: Input<typeof performance.days>,
  ): Promise<Reply<typeof performance.days>> {
    return this.service.days({ organizationId, ...params }, query)
  }

  @Serves(performance.stats)
  stats(@Parsed() { params }: Input<typeof performance.stats>): Promise<Reply<typeof performance.stats>> {
    return this.service.stats(params.chain)
  }
}
