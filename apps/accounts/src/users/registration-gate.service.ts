import { Injectable } from '@nestjs/common'
import type { Registration } from '@trestle/contracts/accounts/users'
import { ProofOfWorkService } from '../proof-of-work/proof-of-work.service.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { Email } from './email.js'
import { RegistrationRulesService } from './registration-rules.service.js'

/** Admits sign-ups: those that the rules allow, as many as the budgets do. */
@Injectable()
export class RegistrationGateService {
  constructor(
    private readonly rules: RegistrationRulesService,
    private readonly throttling: ThrottlingService,
    private readonly proofOfWork: ProofOfWorkService,
  ) {}

  /** Problem `RegistrationClosed`, `InvalidInvitation`, `WeakPassword`, `ProofOfWorkRequired` or `TooManyRequests` unless this network may sign up this address. */
  admit<T>(registration: Registration, { canonical }: Email, network: string, signUp: () => Promise<T>): Promise<T> {
    return this.throttling.inTurn(network, async () => {
      // What could not succeed anyway spends nothing.
      await this.rules.check(registration, canonical)
      return this.proofOfWork.once({ proof: registration.proofOfWork, emailCanonical: canonical }, async () => {
        await this.throttling.spend({ signUpsFromNetwork: network })
        return signUp()
      })
    })
  }
}
