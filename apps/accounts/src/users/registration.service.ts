import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Registration } from '@trestle/contracts/accounts/users'
import { Clock } from '@trestle/runtime/clock'
import { PasswordsService } from '../passwords/passwords.service.js'
import { atWholeSteps } from '../timing.js'
import { requireEmail } from './email.js'
import { Enrolment } from './enrolment.service.js'
import { RegistrationGate } from './registration-gate.service.js'
import { newUser } from './user.js'

const STEP_MS = 100

@Injectable()
export class RegistrationService {
  constructor(
    private readonly gate: RegistrationGate,
    private readonly passwords: PasswordsService,
    private readonly enrolment: Enrolment,
    private readonly clock: Clock,
  ) {}

  /** Signs somebody up; for an address that has an account already the answer is the same, and takes as long. */
  register(registration: Registration): Promise<{ email: string; status: 'verificationSent' }> {
    return atWholeSteps(STEP_MS, async () => {
      const email = requireEmail(registration.email)
      await this.gate.check(email, registration.invitation)
      const passwordHash = await this.passwords.accept(registration.password, registration)
      await this.enrolment.enrol(newUser(`user-${randomUUID()}`, registration, { email, passwordHash }, this.clock.now()))
      return { email: email.address, status: 'verificationSent' }
    })
  }
}
