import { Controller, UseFilters } from '@nestjs/common'
import { deviceLogins } from '@trestle/contracts/accounts/device-logins'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { OAuthFilter } from '../tokens/oauth.filter.js'
import { DeviceDecisionsService } from './device-decisions.service.js'
import { DeviceLoginsService } from './device-logins.service.js'

@Controller()
export class DeviceLoginsController {
  constructor(
    private readonly logins: DeviceLoginsService,
    private readonly decisions: DeviceDecisionsService,
  ) {}

  @Serves(deviceLogins.begin)
  @UseFilters(OAuthFilter)
  begin(
    @Parsed() { body }: Input<typeof deviceLogins.begin>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof deviceLogins.begin>> {
    return this.logins.begin(body['client_id'], origin)
  }

  @Serves(deviceLogins.get)
  get(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof deviceLogins.get>,
    @RequestOrigin() { network }: RequestOrigin,
  ): Promise<Reply<typeof deviceLogins.get>> {
    return this.decisions.get(caller, params.userCode, network)
  }

  @Serves(deviceLogins.decide)
  decide(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() input: Input<typeof deviceLogins.decide>,
    @RequestOrigin() { network }: RequestOrigin,
  ): Promise<void> {
    return this.decisions.decide(caller, input, network)
  }
}
