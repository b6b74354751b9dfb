import { Inject, Module } from '@nestjs/common'
import { createPool } from '@trestle/database/pool'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import type { Pool } from 'pg'
import type { BtcConnectEnv } from '../env.js'
import { NodeModule } from '../node/node.module.js'
import { ENV } from '../settings.module.js'
import { BulkLoaderService } from './bulk-loader.service.js'
import { BulkMergerService } from './bulk-merger.service.js'
import { ChainComparisonService } from './chain-comparison.service.js'
import { IndexerJob } from './indexer.job.js'
import { IndexerService } from './indexer.service.js'
import { LoadRepository } from './load.repository.js'
import { MempoolHandoverRepository } from './mempool-handover.repository.js'
import { MergeRepository } from './merge.repository.js'
import { RollbackRepository } from './rollback.repository.js'
import { RollbackService } from './rollback.service.js'
import { INDEX_SETTINGS, settingsOf } from './settings.js'
import { StateRepository } from './state.repository.js'
import { StateService } from './state.service.js'
import { TipRepository } from './tip.repository.js'
import { TipFollowerService } from './tip-follower.service.js'
import { TipWriterService } from './tip-writer.service.js'
import { WRITER_POOL, WriterService } from './writer.service.js'

const pool = {
  provide: WRITER_POOL,
  inject: [ENV],
  useFactory: ({ DATABASE_URL: url, DEPLOYMENT: schema, BULK_WORKERS }: BtcConnectEnv) =>
    createPool({ url, schema, max: BULK_WORKERS + 1, statementMs: Number.POSITIVE_INFINITY }),
}

const REPOSITORIES = [LoadRepository, MergeRepository, RollbackRepository, StateRepository, TipRepository, MempoolHandoverRepository]
const SERVICES = [
  BulkLoaderService,
  BulkMergerService,
  ChainComparisonService,
  IndexerService,
  RollbackService,
  StateService,
  TipFollowerService,
  TipWriterService,
  WriterService,
]

/** Writes the index. */
@Module({
  imports: [NodeModule],
  providers: [pool, { provide: INDEX_SETTINGS, inject: [ENV], useFactory: settingsOf }, ...REPOSITORIES, ...SERVICES, IndexerJob],
})
export class IndexModule {
  constructor(@Inject(WRITER_POOL) pool: Pool, lifecycle: Lifecycle) {
    lifecycle.onClose(() => pool.end())
  }
}
