import { type DynamicModule, Module } from '@nestjs/common'
import { ActivitySink } from '@trestle/runtime/activity'
import { Clock } from '@trestle/runtime/clock'
import { Metrics } from '@trestle/runtime/metrics'
import { Pool } from 'pg'
import { UsageJob } from './usage.job.js'
import { UsageRepository } from './usage.repository.js'
import { UsageService } from './usage.service.js'
import { UsageBook } from './usage-book.js'
import type { UsageKind } from './usage-sums.js'
import { UsageWriter } from './usage-writer.js'

/** Lets every feature of a service inject `UsageService`. */
@Module({})
export class UsageModule {
  static forRoot<N extends string>(kind: UsageKind<N>): DynamicModule {
    const usage = {
      provide: UsageService,
      inject: [Pool, ActivitySink, Clock, Metrics],
      useFactory: (pool: Pool, sink: ActivitySink, clock: Clock, metrics: Metrics) => {
        const repository = new UsageRepository(pool, kind.table)
        const writer = new UsageWriter(new UsageBook<string | number, N>(kind.table, kind.maxWaitingRows), repository, clock, metrics)
        return new UsageService({ kind, repository, writer, sink, clock })
      },
    }
    return { module: UsageModule, global: true, providers: [usage, UsageJob], exports: [UsageService] }
  }
}
