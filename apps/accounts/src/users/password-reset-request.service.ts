import { Injectable } from '@nestjs/common'
import type { Origin } from '../throttling/origin.decorator.js'
import { atMost, perNetwork, tooManyAttempts } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { atWholeSteps } from '../timing.js'
import { Transactions } from '../transactions.js'
import { requireEmail } from './email.js'
import { UserMails } from './user-mails.service.js'
import { UsersRepository } from './users.repository.js'

const STEP_MS = 50
const FIVE_MINUTES = 5 * 60_000

@Injectable()
export class PasswordResetRequest {
  constructor(
    private readonly throttling: ThrottlingService,
    private readonly users: UsersRepository,
    private readonly mails: UserMails,
    private readonly transactions: Transactions,
  ) {}

  /** Mails a token to the owner of the address, if it has one; for any other the answer is the same, and takes as long. */
  request(address: string, { network }: Origin): Promise<{ email: string; status: 'resetSent' }> {
    return atWholeSteps(STEP_MS, async () => {
      const email = requireEmail(address)
      const wait = await this.throttling.count([{ key: `reset by ${network}`, rule: perNetwork }])
      if (wait > 0) throw tooManyAttempts(wait)
      await this.send(email.canonical)
      return { email: email.address, status: 'resetSent' }
    })
  }

  private async send(emailCanonical: string): Promise<void> {
    const wait = await this.throttling.count([{ key: `reset of ${emailCanonical}`, rule: atMost(1, FIVE_MINUTES) }])
    const user = await this.users.find({ emailCanonical })
    if (wait === 0 && user && !user.disabledAt) await this.transactions.run((tx, now) => this.mails.sendPasswordReset(tx, user, now))
  }
}
