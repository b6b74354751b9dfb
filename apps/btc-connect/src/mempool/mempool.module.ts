import { Inject, Module } from '@nestjs/common'
import { createPool } from '@trestle/database/pool'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import type { Pool } from 'pg'
import type { BtcConnectEnv } from '../env.js'
import { NodeModule } from '../node/node.module.js'
import { ENV } from '../settings.module.js'
import { MempoolClient } from './mempool.client.js'
import { MempoolJob } from './mempool.job.js'
import { MEMPOOL_POOL, MempoolRepository } from './mempool.repository.js'
import { MempoolService } from './mempool.service.js'

const STATEMENT_MS = 60_000
/** One of them is for the lease. */
const CONNECTIONS = 2

const pool = {
  provide: MEMPOOL_POOL,
  inject: [ENV],
  useFactory: ({ DATABASE_URL: url, DEPLOYMENT: schema }: BtcConnectEnv) =>
    createPool({ url, schema, max: CONNECTIONS, statementMs: STATEMENT_MS }),
}

/** Keeps the tables of the mempool up to date. */
@Module({ imports: [NodeModule], providers: [pool, MempoolClient, MempoolRepository, MempoolService, MempoolJob] })
export class MempoolModule {
  constructor(@Inject(MEMPOOL_POOL) pool: Pool, lifecycle: Lifecycle) {
    lifecycle.onClose(() => pool.end())
  }
}
