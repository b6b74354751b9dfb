import { Inject, Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { MailsService } from '../mail/mails.service.js'
import { ENV } from '../settings.module.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import { invitationMail } from './invitation.js'

@Injectable()
export class InvitationMailsService {
  constructor(
    private readonly mails: MailsService,
    private readonly throttling: ThrottlingService,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Problem `TooManyRequests` where one of the budgets is spent; they outlive the invitation, its withdrawal and its organization. */
  spendBudgets(of: { userId: string; organizationId: string; emailCanonical: string }): Promise<void> {
    return this.throttling.inTurn(of.userId, () =>
      this.throttling.spend({
        invitationsByInviter: of.userId,
        invitationsByOrganization: of.organizationId,
        invitationsToAddress: of.emailCanonical,
        mailsToAddress: of.emailCanonical,
      }),
    )
  }

  /** Sent once the transaction is committed. Only the mail has the token. */
  send(tx: AccountsTransaction, { to, organization, token }: { to: string; organization: string; token: string }): Promise<void> {
    return this.mails.send(tx, invitationMail({ to, organization, token, publicUrl: this.env.PUBLIC_URL }))
  }
}
