import { Module } from '@nestjs/common'
import { UsageController } from './usage.controller.js'
import { UsageRepository } from './usage.repository.js'
import { UsageReports } from './usage-reports.service.js'
import { UsageRetentionJob } from './usage-retention.job.js'

/** Tells owners what their nodes and clusters were used for. */
@Module({ controllers: [UsageController], providers: [UsageReports, UsageRepository, UsageRetentionJob] })
export class UsageModule {}
