import { Controller } from '@nestjs/common'
import { users } from '@trestle/contracts/accounts/users'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { Caller, Parsed, Serves } from '@trestle/runtime/serves'
import { Origin } from '../throttling/origin.decorator.js'
import { PasswordChange } from './password-change.service.js'
import { PasswordReset } from './password-reset.service.js'
import { PasswordResetRequest } from './password-reset-request.service.js'

@Controller()
export class PasswordsController {
  constructor(
    private readonly changes: PasswordChange,
    private readonly requests: PasswordResetRequest,
    private readonly resets: PasswordReset,
  ) {}

  @Serves(users.changePassword)
  change(
    @Caller() caller: Caller,
    @Parsed() { body }: Input<typeof users.changePassword>,
    @Origin() origin: Origin,
  ): Promise<Reply<typeof users.changePassword>> {
    return this.changes.change(caller.userId, body, origin)
  }

  @Serves(users.requestReset)
  requestReset(@Parsed() { body }: Input<typeof users.requestReset>, @Origin() origin: Origin): Promise<Reply<typeof users.requestReset>> {
    return this.requests.request(body.email, origin)
  }

  @Serves(users.resetPassword)
  reset(
    @Parsed() { params, body }: Input<typeof users.resetPassword>,
    @Origin() { network }: Origin,
  ): Promise<Reply<typeof users.resetPassword>> {
    return this.resets.reset(params.id, params.token, { ...body, network })
  }
}
