import { Controller } from '@nestjs/common'
import { secondFactors } from '@trestle/contracts/accounts/second-factors'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { FactorRemovalsService } from './factor-removals.service.js'
import { RecoveryCodesService } from './recovery-codes.service.js'
import { SecondFactorsService } from './second-factors.service.js'

@Controller()
export class SecondFactorsController {
  constructor(
    private readonly factors: SecondFactorsService,
    private readonly removals: FactorRemovalsService,
    private readonly recoveryCodes: RecoveryCodesService,
  ) {}

  @Serves(secondFactors.list)
  list(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof secondFactors.list>> {
    return this.factors.list(caller.userId)
  }

  @Serves(secondFactors.rename)
  rename(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof secondFactors.rename>,
  ): Promise<Reply<typeof secondFactors.rename>> {
    return this.factors.rename(caller.userId, params.id, body.name)
  }

  @Serves(secondFactors.remove)
  remove(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof secondFactors.remove>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof secondFactors.remove>> {
    return this.removals.remove(caller, params.id, origin)
  }

  @Serves(secondFactors.replaceRecoveryCodes)
  replaceRecoveryCodes(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof secondFactors.replaceRecoveryCodes>> {
    return this.recoveryCodes.replaceAll(caller.userId)
  }

  @Serves(secondFactors.stepUp)
  stepUp(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof secondFactors.stepUp>> {
    return this.factors.askAgain(caller)
  }

  @Serves(secondFactors.reset)
  reset(@Parsed() { params }: Input<typeof secondFactors.reset>): Promise<void> {
    return this.removals.reset(params.id)
  }
}
