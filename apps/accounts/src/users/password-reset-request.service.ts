import { Injectable } from '@nestjs/common'
import { ProviderDirectoryService } from '../identity-providers/provider-directory.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { perNetwork, tooManyAttempts } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { requireEmail } from './email.js'
import { endAtWholeSteps } from './response-time.engine.js'
import { UserMailsService } from './user-mails.service.js'
import { UsersRepository } from './users.repository.js'

const STEP_MS = 50

@Injectable()
export class PasswordResetRequestService {
  constructor(
    private readonly throttling: ThrottlingService,
    private readonly users: UsersRepository,
    private readonly mails: UserMailsService,
    private readonly directory: ProviderDirectoryService,
  ) {}

  /** Mails a token to the owner of the address, if it has one; for any other address the reply is the same and takes as long. */
  request(address: string, { network }: RequestOrigin): Promise<{ email: string; status: 'resetSent' }> {
    return endAtWholeSteps(STEP_MS, async () => {
      const email = requireEmail(address)
      this.directory.requireAllowed(email.canonical)
      await this.throttling.inTurn(network, async () => {
        const wait = await this.throttling.count([{ key: `reset by ${network}`, rule: perNetwork }])
        if (wait > 0) throw tooManyAttempts(wait)
        await this.throttling.spend({ resetsFromNetwork: network })
        await this.send(email.canonical)
      })
      return { email: email.address, status: 'resetSent' }
    })
  }

  private async send(emailCanonical: string): Promise<void> {
    const maySend = await this.throttling.trySpend({ resetMailsToAddress: emailCanonical, mailsToAddress: emailCanonical })
    const user = await this.users.find({ emailCanonical })
    if (maySend && user && !user.disabledAt) await this.mails.sendRequestedReset(user)
  }
}
