import { randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { Email } from '../users/email.js'
import { EnrolmentService } from '../users/enrolment.service.js'
import { type LinkedIdentity, newUserOf } from '../users/user.js'
import { registrationClosed } from './sign-in-attempt.js'

/** Signs up whom a provider names that does not decide about the address: as at any other sign-up, a mail of ours proves whose it is. */
@Injectable()
export class MailEnrolmentService {
  constructor(
    private readonly enrolment: EnrolmentService,
    private readonly throttling: ThrottlingService,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** An address that has an account gets a mail that says so, and no link to it. Problem `RegistrationClosed` where nobody may sign up. */
  async enrol(identity: LinkedIdentity & { readonly name: string }, email: Email, network: string): Promise<void> {
    if (this.env.REGISTRATION !== 'open') throw registrationClosed()
    await this.throttling.spend({ signUpsFromNetwork: network })
    await this.enrolment.enrol(newUserOf(`user-${randomUUID()}`, { email, displayName: identity.name }, this.clock.now()), identity)
  }
}
