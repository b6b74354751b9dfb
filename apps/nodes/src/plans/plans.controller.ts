import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { plans } from '@trestle/contracts/nodes/plans'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { PlansService } from './plans.service.js'

@Controller()
export class PlansController {
  constructor(private readonly plans: PlansService) {}

  @Serves(plans.mine)
  mine(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof plans.mine>> {
    return this.plans.describe(caller)
  }

  @Serves(plans.getOfOrganization)
  getOfOrganization(@Parsed() { params }: Input<typeof plans.getOfOrganization>): Promise<Reply<typeof plans.getOfOrganization>> {
    return this.plans.ofOrganization(params.organizationId)
  }

  @Serves(plans.setOfOrganization)
  setOfOrganization(@Parsed() { params, body }: Input<typeof plans.setOfOrganization>): Promise<Reply<typeof plans.setOfOrganization>> {
    return this.plans.setOfOrganization(params.organizationId, body)
  }

  @Serves(plans.get)
  get(@Parsed() { params }: Input<typeof plans.get>): Promise<Reply<typeof plans.get>> {
    return this.plans.inUse(params.userId)
  }

  @Serves(plans.set)
  set(@Parsed() { params, body }: Input<typeof plans.set>): Promise<Reply<typeof plans.set>> {
    return this.plans.set(params.userId, body)
  }
}
