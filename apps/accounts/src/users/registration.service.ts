import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Registration } from '@trestle/contracts/accounts/users'
import { Clock } from '@trestle/runtime/clock'
import { PasswordsService } from '../passwords/passwords.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { requireEmail } from './email.js'
import { EnrolmentService } from './enrolment.service.js'
import { RegistrationGateService } from './registration-gate.service.js'
import { endAtWholeSteps } from './response-time.engine.js'
import { newUser } from './user.js'

const STEP_MS = 100

@Injectable()
export class RegistrationService {
  constructor(
    private readonly gate: RegistrationGateService,
    private readonly passwords: PasswordsService,
    private readonly enrolment: EnrolmentService,
    private readonly clock: Clock,
  ) {}

  /** Signs somebody up; for an address that already has an account the reply is the same and takes as long. */
  register(
    registration: Registration,
    { network }: Pick<RequestOrigin, 'network'>,
  ): Promise<{ email: string; status: 'verificationSent' }> {
    return endAtWholeSteps(STEP_MS, async () => {
      const email = requireEmail(registration.email)
      return this.gate.admit(registration, email, network, async () => {
        const passwordHash = await this.passwords.accept(registration.password, registration, network)
        await this.enrolment.enrol(newUser(`user-${randomUUID()}`, registration, { email, passwordHash }, this.clock.now()))
        return { email: email.address, status: 'verificationSent' }
      })
    })
  }
}
