import { Injectable } from '@nestjs/common'
import type { FactorAdded, secondFactors } from '@trestle/contracts/accounts/second-factors'
import type { Caller } from '@trestle/contracts/caller'
import type { Reply } from '@trestle/contracts/endpoint'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { FactorAdditionsService } from './factor-additions.service.js'
import { FactorOwnerService } from './factor-owner.service.js'
import { codeThrottles } from './factor-throttles.js'
import { invalidFactor } from './second-factor.js'
import { TotpService } from './totp.service.js'

@Injectable()
export class TotpEnrolmentService {
  constructor(
    private readonly owners: FactorOwnerService,
    private readonly apps: TotpService,
    private readonly throttling: ThrottlingService,
    private readonly additions: FactorAdditionsService,
  ) {}

  async begin(caller: Caller, password: string | undefined, origin: RequestOrigin): Promise<Reply<typeof secondFactors.enrolTotp>> {
    const { user } = await this.owners.requireAllowed(caller, password, origin)
    return this.apps.begin(user)
  }

  /** Whoever has a stolen token may guess the codes of an app that the owner has begun to add: it would bring them the recovery codes. */
  async confirm(caller: Caller, code: string, origin: RequestOrigin): Promise<FactorAdded> {
    const { userId } = caller
    const pending = await this.apps.requirePending(userId)
    const isKnown = await this.throttling.isKnownNetwork(userId, origin.network)
    const throttles = codeThrottles(userId, origin.network, isKnown)
    const step = await this.throttling.attempt(throttles, async (now) => this.apps.stepOf(pending, code, now))
    if (step === undefined) throw invalidFactor()
    return this.additions.add(caller, origin, (change) => this.apps.confirm(pending, step, change))
  }
}
