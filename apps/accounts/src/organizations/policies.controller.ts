import { Controller } from '@nestjs/common'
import { policies } from '@trestle/contracts/accounts/policies'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { PoliciesService } from './policies.service.js'

@Controller()
export class PoliciesController {
  constructor(private readonly policies: PoliciesService) {}

  @Serves(policies.get)
  get(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Input<typeof policies.get>): Promise<Reply<typeof policies.get>> {
    return this.policies.get(caller, params.id)
  }

  @Serves(policies.set)
  set(@CurrentCaller() caller: CurrentCaller, @Parsed() { params, body }: Input<typeof policies.set>): Promise<Reply<typeof policies.set>> {
    return this.policies.set(caller, params.id, body)
  }

  @Serves(policies.remove)
  remove(@Parsed() { params }: Input<typeof policies.remove>): Promise<void> {
    return this.policies.remove(params.id)
  }
}
