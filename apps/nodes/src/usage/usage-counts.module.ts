import { Module } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Metrics } from '@trestle/runtime/metrics'
import { UsageBook } from '@trestle/usage/usage-book'
import { UsageWriter } from '@trestle/usage/usage-writer'
import { added } from './sums.js'
import { UsageJob } from './usage.job.js'
import { UsageRepository } from './usage.repository.js'
import { UsageService } from './usage.service.js'
import { UsageCounts } from './usage-counts.service.js'
import { UsageRecords } from './usage-records.service.js'

const MAX_WAITING_ROWS = 100_000

const writer = {
  provide: UsageWriter,
  inject: [UsageRepository, Clock, Metrics],
  useFactory: (repository: UsageRepository, clock: Clock, metrics: Metrics) =>
    new UsageWriter(new UsageBook(added, MAX_WAITING_ROWS), repository, clock, metrics),
}

/** Counts calls and writes down what was counted. */
@Module({ providers: [UsageCounts, UsageJob, UsageRecords, UsageRepository, UsageService, writer], exports: [UsageCounts] })
export class UsageCountsModule {}
