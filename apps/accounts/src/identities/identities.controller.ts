import { Controller, Header } from '@nestjs/common'
import { identities } from '@trestle/contracts/accounts/identities'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { IdentitiesService } from './identities.service.js'
import { IdentityUnlinkingService } from './identity-unlinking.service.js'

@Controller()
export class IdentitiesController {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly unlinking: IdentityUnlinkingService,
  ) {}

  @Serves(identities.list)
  list(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof identities.list>> {
    return this.identities.list(caller.userId)
  }

  @Serves(identities.unlink)
  @Header('cache-control', 'no-store')
  async unlink(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof identities.unlink>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof identities.unlink>> {
    return { accessToken: await this.unlinking.unlink(caller, { ...params, ...body }, origin) }
  }
}
