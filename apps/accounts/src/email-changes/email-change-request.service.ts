import { Injectable } from '@nestjs/common'
import type { emailChanges } from '@trestle/contracts/accounts/email-changes'
import type { Caller } from '@trestle/contracts/caller'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { requireEmail } from '../users/email.js'
import { PasswordConfirmationService } from '../users/password-confirmation.service.js'
import { endAtWholeSteps } from '../users/response-time.engine.js'
import { EmailChangeDispatchService } from './email-change-dispatch.service.js'

const STEP_MS = 100

@Injectable()
export class EmailChangeRequestService {
  constructor(
    private readonly confirmation: PasswordConfirmationService,
    private readonly throttling: ThrottlingService,
    private readonly dispatch: EmailChangeDispatchService,
  ) {}

  /** Mails a token to the new address. For an address that has an account the reply is the same and takes as long; its owner is mailed. */
  request(
    caller: Caller,
    { email: address, password }: Input<typeof emailChanges.request>['body'],
    origin: RequestOrigin,
  ): Promise<Reply<typeof emailChanges.request>> {
    return endAtWholeSteps(STEP_MS, async () => {
      const email = requireEmail(address)
      const user = await this.confirmation.requireOwner(caller, password, origin)
      await this.throttling.spend({ emailChangesByUser: user.id })
      await this.dispatch.send(user, email)
      return { email: email.address, status: 'confirmationSent' }
    })
  }
}
