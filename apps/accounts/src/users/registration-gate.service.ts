import { Inject, Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import type { AccountsEnv } from '../env.js'
import { InvitationsService } from '../organizations/invitations.service.js'
import { ENV } from '../settings.module.js'
import type { Email } from './email.js'

/** Who may sign up here. */
@Injectable()
export class RegistrationGate {
  constructor(
    private readonly invitations: InvitationsService,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Problem `RegistrationClosed` or `InvalidInvitation` unless this address may. */
  async check({ canonical }: Email, invitation: string | undefined): Promise<void> {
    if (this.env.REGISTRATION === 'closed')
      throw new Problem('forbidden', 'RegistrationClosed', 'Nobody can sign up here; ask whoever runs this platform.')
    if (this.env.REGISTRATION === 'invite') await this.invitations.checkInvitation(canonical, invitation)
  }
}
