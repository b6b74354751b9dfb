import { Inject, Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import type { AccountsEnv } from '../env.js'
import { InvitationsService } from '../organizations/invitations.service.js'
import { ENV } from '../settings.module.js'
import type { Email } from './email.js'

/** Decides who may sign up. */
@Injectable()
export class RegistrationGateService {
  constructor(
    private readonly invitations: InvitationsService,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Problem `RegistrationClosed` or `InvalidInvitation` unless this address may sign up. */
  async check({ canonical }: Email, invitation: string | undefined): Promise<void> {
    if (this.env.REGISTRATION === 'closed')
      throw new Problem('forbidden', 'RegistrationClosed', 'Registration is closed; ask the operator of this platform for an account.')
    if (this.env.REGISTRATION === 'invite') await this.invitations.checkInvitation(canonical, invitation)
  }
}
