import { Module } from '@nestjs/common'
import { AccountDeletionModule } from '../account-deletion/account-deletion.module.js'
import { ProviderDirectoryModule } from '../identity-providers/provider-directory.module.js'
import { MailModule } from '../mail/mail.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { UsersModule } from '../users/users.module.js'
import { EmailChangeConfirmationService } from './email-change-confirmation.service.js'
import { EmailChangeDispatchService } from './email-change-dispatch.service.js'
import { EmailChangeMailsService } from './email-change-mails.service.js'
import { EmailChangeRequestService } from './email-change-request.service.js'
import { EmailChangeTokensService } from './email-change-tokens.service.js'
import { EmailChangeUndoService } from './email-change-undo.service.js'
import { EmailChangesController } from './email-changes.controller.js'
import { EmailChangesRepository } from './email-changes.repository.js'

@Module({
  imports: [AccountDeletionModule, MailModule, ProviderDirectoryModule, ThrottlingModule, UsersModule],
  controllers: [EmailChangesController],
  providers: [
    EmailChangeConfirmationService,
    EmailChangeDispatchService,
    EmailChangeMailsService,
    EmailChangeRequestService,
    EmailChangesRepository,
    EmailChangeTokensService,
    EmailChangeUndoService,
  ],
})
export class EmailChangesModule {}
