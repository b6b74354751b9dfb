import { Module } from '@nestjs/common'
import { MailModule } from '../mail/mail.module.js'
import { OrganizationsModule } from '../organizations/organizations.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { UsersModule } from '../users/users.module.js'
import { AccountClosingService } from './account-closing.service.js'
import { AccountDeletionController } from './account-deletion.controller.js'
import { AccountDeletionJob } from './account-deletion.job.js'
import { AccountDeletionsRepository } from './account-deletions.repository.js'
import { AccountDeletionsService } from './account-deletions.service.js'
import { AccountErasureService } from './account-erasure.service.js'
import { DeletionMailsService } from './deletion-mails.service.js'
import { DeletionRequestService } from './deletion-request.service.js'
import { DeletionStepsService } from './deletion-steps.service.js'
import { DueDeletionsService } from './due-deletions.service.js'
import { InventoryService } from './inventory.service.js'
import { PersonalDataRepository } from './personal-data.repository.js'
import { ResourcesClient } from './resources.client.js'

@Module({
  imports: [MailModule, OrganizationsModule, ThrottlingModule, UsersModule],
  controllers: [AccountDeletionController],
  providers: [
    ...[AccountClosingService, AccountDeletionJob, AccountDeletionsRepository, AccountDeletionsService, AccountErasureService],
    ...[DeletionMailsService, DeletionRequestService, DeletionStepsService, DueDeletionsService, InventoryService],
    ...[PersonalDataRepository, ResourcesClient],
  ],
  exports: [AccountDeletionsService],
})
export class AccountDeletionModule {}
