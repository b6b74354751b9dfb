import { Inject, Injectable } from '@nestjs/common'
import type { Registration } from '@trestle/contracts/accounts/users'
import { Problem } from '@trestle/problem/problem'
import type { AccountsEnv } from '../env.js'
import { InvitationAcceptanceService } from '../organizations/invitation-acceptance.service.js'
import { requireStrong } from '../passwords/password-policy.js'
import { ProofOfWorkService } from '../proof-of-work/proof-of-work.service.js'
import { ENV } from '../settings.module.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { Email } from './email.js'

/** Decides who may sign up. */
@Injectable()
export class RegistrationGateService {
  constructor(
    private readonly invitations: InvitationAcceptanceService,
    private readonly throttling: ThrottlingService,
    private readonly proofOfWork: ProofOfWorkService,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Problem `RegistrationClosed`, `InvalidInvitation`, `WeakPassword`, `ProofOfWorkRequired` or `TooManyRequests` unless this network may sign up this address. */
  admit<T>(registration: Registration, { canonical }: Email, network: string, signUp: () => Promise<T>): Promise<T> {
    return this.throttling.inTurn(network, async () => {
      // What could not succeed anyway spends nothing.
      await this.check(registration, canonical)
      return this.proofOfWork.once({ proof: registration.proofOfWork, emailCanonical: canonical }, async () => {
        await this.throttling.spend({ signUpsFromNetwork: network })
        return signUp()
      })
    })
  }

  private async check(registration: Registration, canonical: string): Promise<void> {
    if (this.env.REGISTRATION === 'closed')
      throw new Problem('forbidden', 'RegistrationClosed', 'Registration is closed; ask the operator of this platform for an account.')
    if (this.env.REGISTRATION === 'invite') await this.invitations.checkInvitation(canonical, registration.invitation)
    requireStrong(registration.password, registration)
  }
}
