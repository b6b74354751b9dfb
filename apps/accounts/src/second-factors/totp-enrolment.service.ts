import { Injectable } from '@nestjs/common'
import type { FactorAdded, secondFactors } from '@trestle/contracts/accounts/second-factors'
import type { Caller } from '@trestle/contracts/caller'
import type { Reply } from '@trestle/contracts/endpoint'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { FactorAdditionsService } from './factor-additions.service.js'
import { FactorOwnerService } from './factor-owner.service.js'
import { TotpService } from './totp.service.js'

@Injectable()
export class TotpEnrolmentService {
  constructor(
    private readonly owners: FactorOwnerService,
    private readonly apps: TotpService,
    private readonly additions: FactorAdditionsService,
  ) {}

  async begin(caller: Caller, password: string | undefined, origin: RequestOrigin): Promise<Reply<typeof secondFactors.enrolTotp>> {
    const { user } = await this.owners.requireAllowed(caller, password, origin)
    return this.apps.begin(user)
  }

  confirm(userId: string, code: string, origin: RequestOrigin): Promise<FactorAdded> {
    return this.additions.add(userId, origin, (change) => this.apps.confirm(userId, code, change))
  }
}
