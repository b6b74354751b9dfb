import { Module } from '@nestjs/common'
import { ApprovalUseService } from './approval-use.service.js'
import { ApprovalsRepository } from './approvals.repository.js'

@Module({ providers: [ApprovalsRepository, ApprovalUseService], exports: [ApprovalsRepository, ApprovalUseService] })
export class ApprovalUseModule {}
