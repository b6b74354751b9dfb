import { Injectable } from '@nestjs/common'
import type { emailChanges } from '@trestle/contracts/accounts/email-changes'
import type { Caller } from '@trestle/contracts/caller'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { ProviderDirectoryService } from '../identity-providers/provider-directory.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { type Email, requireEmail } from '../users/email.js'
import { PasswordConfirmationService } from '../users/password-confirmation.service.js'
import { endAtWholeSteps } from '../users/response-time.engine.js'
import type { User } from '../users/user.js'
import { managedAddress } from './email-change.js'
import { EmailChangeDispatchService } from './email-change-dispatch.service.js'

const STEP_MS = 100

@Injectable()
export class EmailChangeRequestService {
  constructor(
    private readonly confirmation: PasswordConfirmationService,
    private readonly throttling: ThrottlingService,
    private readonly dispatch: EmailChangeDispatchService,
    private readonly directory: ProviderDirectoryService,
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
      this.requireFree(user, email)
      await this.throttling.spend({ emailChangesByUser: user.id })
      await this.dispatch.send(user, email)
      return { email: email.address, status: 'confirmationSent' }
    })
  }

  /** Whom a company alone lets in would otherwise go on without it: with a password, also when they have left. */
  private requireFree({ emailCanonical }: User, to: Email): void {
    const required = this.directory.requiredFor(emailCanonical)
    if (required && this.directory.requiredFor(to.canonical)?.id !== required.id) throw managedAddress(required.title)
  }
}
