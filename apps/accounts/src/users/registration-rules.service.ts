import { Inject, Injectable } from '@nestjs/common'
import type { Registration } from '@trestle/contracts/accounts/users'
import { Problem } from '@trestle/problem/problem'
import type { AccountsEnv } from '../env.js'
import { InvitationAcceptanceService } from '../organizations/invitation-acceptance.service.js'
import { PasswordRulesService } from '../passwords/password-rules.service.js'
import { ENV } from '../settings.module.js'

/** Who may sign up, and with what. */
@Injectable()
export class RegistrationRulesService {
  constructor(
    private readonly invitations: InvitationAcceptanceService,
    private readonly passwords: PasswordRulesService,
    @Inject(ENV) private readonly env: Pick<AccountsEnv, 'REGISTRATION'>,
  ) {}

  /** Problem `RegistrationClosed`, `InvalidInvitation` or `WeakPassword`. */
  async check(registration: Registration, emailCanonical: string): Promise<void> {
    if (this.env.REGISTRATION === 'closed')
      throw new Problem('forbidden', 'RegistrationClosed', 'Registration is closed; ask the operator of this platform for an account.')
    if (this.env.REGISTRATION === 'invite') await this.invitations.checkInvitation(emailCanonical, registration.invitation)
    this.passwords.requireStrong(registration.password, registration)
  }
}
