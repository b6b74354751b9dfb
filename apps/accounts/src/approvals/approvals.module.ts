import { Module } from '@nestjs/common'
import { NoticesModule } from '../notices/notices.module.js'
import { OrganizationsModule } from '../organizations/organizations.module.js'
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { ApprovalMailsService } from './approval-mails.service.js'
import { ApprovalRequestsService } from './approval-requests.service.js'
import { ApprovalTokensService } from './approval-tokens.service.js'
import { ApprovalUseModule } from './approval-use.module.js'
import { ApprovalsController } from './approvals.controller.js'
import { ApprovalsService } from './approvals.service.js'

@Module({
  imports: [ApprovalUseModule, NoticesModule, OrganizationsModule, SigningKeysModule, ThrottlingModule],
  controllers: [ApprovalsController],
  providers: [ApprovalMailsService, ApprovalRequestsService, ApprovalTokensService, ApprovalsService],
})
export class ApprovalsModule {}
