import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { limits } from '@trestle/contracts/eth-rpc/limits'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { LimitGrantsService } from './limit-grants.service.js'

@Controller()
export class LimitGrantsController {
  constructor(private readonly grants: LimitGrantsService) {}

  @Serves(limits.mine)
  mine(@CurrentCaller() { userId }: CurrentCaller): Promise<Reply<typeof limits.mine>> {
    return this.grants.describe(userId)
  }

  @Serves(limits.get)
  get(@Parsed() { params }: Input<typeof limits.get>): Promise<Reply<typeof limits.get>> {
    return this.grants.describe(params.userId)
  }

  @Serves(limits.grant)
  grant(@Parsed() { params, body }: Input<typeof limits.grant>): Promise<Reply<typeof limits.grant>> {
    return this.grants.grant(params.userId, body)
  }

  @Serves(limits.revoke)
  revoke(@Parsed() { params }: Input<typeof limits.revoke>): Promise<Reply<typeof limits.revoke>> {
    return this.grants.revoke(params.userId)
  }
}
