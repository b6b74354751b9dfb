import { Controller } from '@nestjs/common'
import { users } from '@trestle/contracts/accounts/users'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { PasswordChangeService } from './password-change.service.js'
import { PasswordResetService } from './password-reset.service.js'
import { PasswordResetRequestService } from './password-reset-request.service.js'

@Controller()
export class PasswordsController {
  constructor(
    private readonly changes: PasswordChangeService,
    private readonly requests: PasswordResetRequestService,
    private readonly resets: PasswordResetService,
  ) {}

  @Serves(users.changePassword)
  change(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof users.changePassword>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof users.changePassword>> {
    return this.changes.change(caller, body, origin)
  }

  @Serves(users.requestReset)
  requestReset(
    @Parsed() { body }: Input<typeof users.requestReset>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof users.requestReset>> {
    return this.requests.request(body.email, origin)
  }

  @Serves(users.resetPassword)
  reset(
    @Parsed() { params, body }: Input<typeof users.resetPassword>,
    @RequestOrigin() { network }: RequestOrigin,
  ): Promise<Reply<typeof users.resetPassword>> {
    return this.resets.reset(params.id, params.token, { ...body, network })
  }
}
