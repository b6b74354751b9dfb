import { Inject, Module } from '@nestjs/common'
import { createPool } from '@trestle/database/pool'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import type { Pool } from 'pg'
import type { BtcConnectEnv } from '../env.js'
import { NodeModule } from '../node/node.module.js'
import { ENV } from '../settings.module.js'
import { BulkLoader } from './bulk-loader.service.js'
import { BulkMerger } from './bulk-merger.service.js'
import { Chains } from './chains.service.js'
import { IndexerJob } from './indexer.job.js'
import { Indexer } from './indexer.service.js'
import { LoadRepository } from './load.repository.js'
import { MergeRepository } from './merge.repository.js'
import { RollbackRepository } from './rollback.repository.js'
import { Rollback } from './rollback.service.js'
import { INDEX_SETTINGS, settingsOf } from './settings.js'
import { StateRepository } from './state.repository.js'
import { StateService } from './state.service.js'
import { TipRepository } from './tip.repository.js'
import { TipFollower } from './tip-follower.service.js'
import { TipWriter } from './tip-writer.service.js'
import { TurnoverRepository } from './turnover.repository.js'
import { WRITER_POOL, Writer } from './writer.service.js'

const pool = {
  provide: WRITER_POOL,
  inject: [ENV],
  useFactory: ({ DATABASE_URL: url, DEPLOYMENT: schema, BULK_WORKERS }: BtcConnectEnv) =>
    createPool({ url, schema, max: BULK_WORKERS + 1, statementMs: Number.POSITIVE_INFINITY }),
}

const REPOSITORIES = [LoadRepository, MergeRepository, RollbackRepository, StateRepository, TipRepository, TurnoverRepository]
const SERVICES = [BulkLoader, BulkMerger, Chains, Indexer, Rollback, StateService, TipFollower, TipWriter, Writer]

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
