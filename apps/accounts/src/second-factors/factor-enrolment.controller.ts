import { Controller, Header } from '@nestjs/common'
import { secondFactors } from '@trestle/contracts/accounts/second-factors'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { PasskeyEnrolmentService } from './passkey-enrolment.service.js'
import { TotpEnrolmentService } from './totp-enrolment.service.js'

@Controller()
export class FactorEnrolmentController {
  constructor(
    private readonly apps: TotpEnrolmentService,
    private readonly passkeys: PasskeyEnrolmentService,
  ) {}

  @Serves(secondFactors.enrolTotp)
  @Header('cache-control', 'no-store')
  enrolTotp(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof secondFactors.enrolTotp>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof secondFactors.enrolTotp>> {
    return this.apps.begin(caller, body?.password, origin)
  }

  @Serves(secondFactors.confirmTotp)
  @Header('cache-control', 'no-store')
  confirmTotp(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof secondFactors.confirmTotp>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof secondFactors.confirmTotp>> {
    return this.apps.confirm(caller, body.code, origin)
  }

  @Serves(secondFactors.enrolPasskey)
  enrolPasskey(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof secondFactors.enrolPasskey>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof secondFactors.enrolPasskey>> {
    return this.passkeys.begin(caller, body?.password, origin)
  }

  @Serves(secondFactors.confirmPasskey)
  @Header('cache-control', 'no-store')
  confirmPasskey(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof secondFactors.confirmPasskey>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof secondFactors.confirmPasskey>> {
    return this.passkeys.confirm(caller, body, origin)
  }
}
