import { Injectable } from '@nestjs/common'
import type { emailChanges } from '@trestle/contracts/accounts/email-changes'
import type { Reply } from '@trestle/contracts/endpoint'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { EmailReplacementService } from '../users/email-replacement.service.js'
import { emailInUse, invalidEmailChangeToken } from './email-change.js'
import { EmailChangeMailsService } from './email-change-mails.service.js'
import { EmailChangeTokensService } from './email-change-tokens.service.js'

@Injectable()
export class EmailChangeConfirmationService {
  constructor(
    private readonly tokens: EmailChangeTokensService,
    private readonly replacement: EmailReplacementService,
    private readonly mails: EmailChangeMailsService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  /** Whoever reads the mails to the new address signs in with it from now on; whoever reads those to the old one can undo it. */
  async confirm(userRef: string, token: string, { network }: RequestOrigin): Promise<Reply<typeof emailChanges.confirm>> {
    const { change, user } = await this.tokens.requested({ userRef, token, network })
    return this.unitOfWork.run(async (tx, now) => {
      if (!(await this.mails.sendChanged(tx, change, user, now))) throw invalidEmailChangeToken()
      const to = { address: change.email, canonical: change.emailCanonical }
      const outcome = await this.replacement.replace(tx, { id: user.id, epoch: change.epoch }, to, now)
      if (outcome === 'in-use') throw emailInUse()
      if (outcome === 'outdated') throw invalidEmailChangeToken()
      return { id: user.id, email: change.email, changedAt: now.toISOString() }
    })
  }
}
