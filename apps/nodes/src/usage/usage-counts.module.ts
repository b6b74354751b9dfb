import { Module } from '@nestjs/common'
import { UsageJob } from './usage.job.js'
import { UsageRepository } from './usage.repository.js'
import { UsageService } from './usage.service.js'
import { UsageCounts } from './usage-counts.service.js'
import { UsageRecords } from './usage-records.service.js'
import { UsageWriter } from './usage-writer.service.js'

/** Counts calls and writes down what was counted. */
@Module({ providers: [UsageCounts, UsageJob, UsageRecords, UsageRepository, UsageService, UsageWriter], exports: [UsageCounts] })
export class UsageCountsModule {}
