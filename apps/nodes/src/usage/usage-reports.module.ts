import { Module } from '@nestjs/common'
import { OwnedWorkloadsRepository } from './owned-workloads.repository.js'
import { UsageController } from './usage.controller.js'
import { UsageReportsService } from './usage-reports.service.js'

@Module({ controllers: [UsageController], providers: [OwnedWorkloadsRepository, UsageReportsService] })
export class UsageReportsModule {}
