import { Controller } from '@nestjs/common'
import { users } from '@trestle/contracts/accounts/users'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { RegistrationService } from './registration.service.js'
import { VerificationService } from './verification.service.js'

@Controller()
export class RegistrationController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly verification: VerificationService,
  ) {}

  @Serves(users.register)
  register(
    @Parsed() { body }: Input<typeof users.register>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof users.register>> {
    return this.registration.register(body, origin)
  }

  @Serves(users.verify)
  verify(@Parsed() { params }: Input<typeof users.verify>, @RequestOrigin() origin: RequestOrigin): Promise<Reply<typeof users.verify>> {
    return this.verification.verify(params.userId, params.token, origin)
  }
}
