import { Injectable } from '@nestjs/common'
import type { emailChanges } from '@trestle/contracts/accounts/email-changes'
import type { Reply } from '@trestle/contracts/endpoint'
import { AccountDeletionsService } from '../account-deletion/account-deletions.service.js'
import type { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { UnitOfWorkService } from '../unit-of-work/unit-of-work.service.js'
import { EmailReplacementService } from '../users/email-replacement.service.js'
import { emailInUse } from './email-change.js'
import { EmailChangeTokensService } from './email-change-tokens.service.js'

@Injectable()
export class EmailChangeUndoService {
  constructor(
    private readonly tokens: EmailChangeTokensService,
    private readonly deletions: AccountDeletionsService,
    private readonly replacement: EmailReplacementService,
    private readonly unitOfWork: UnitOfWorkService,
  ) {}

  /** Restores the address as it was before this change and all later ones, and takes the account from whoever made them. */
  async undo(userRef: string, token: string, { network }: RequestOrigin): Promise<Reply<typeof emailChanges.undo>> {
    const { change } = await this.tokens.confirmed({ userRef, token, network })
    const { userId, former, confirmedAt: changedAt } = change
    const passwordHash = await this.replacement.unknownPasswordHash(network)
    return this.unitOfWork.run(async (tx, now) => {
      await this.tokens.useUp(tx, change)
      // Whoever changed the address may have asked to delete the account, too.
      await this.deletions.cancelIfRequested(tx, userId)
      if (!(await this.replacement.restore(tx, userId, { former, passwordHash, changedAt }, now))) throw emailInUse()
      return { id: userId, email: former.address, changedAt: now.toISOString() }
    })
  }
}
