import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { createPool } from '@trestle/database/pool'
import { freshDatabase } from '@trestle/testing/postgres'
import type { Client, Pool, PoolClient } from 'pg'
import { IndexDatabase } from '../../src/database.module.js'
import { BulkLoaderService } from '../../src/index/bulk-loader.service.js'
import { BulkMergerService } from '../../src/index/bulk-merger.service.js'
import { ChainComparisonService } from '../../src/index/chain-comparison.service.js'
import { ChecksumRepository } from '../../src/index/checksum.repository.js'
import { IndexerService } from '../../src/index/indexer.service.js'
import { LoadRepository } from '../../src/index/load.repository.js'
import { MempoolHandoverRepository } from '../../src/index/mempool-handover.repository.js'
import { MergeRepository } from '../../src/index/merge.repository.js'
import { RollbackRepository } from '../../src/index/rollback.repository.js'
import { RollbackService } from '../../src/index/rollback.service.js'
import type { IndexSettings } from '../../src/index/settings.js'
import { StateRepository } from '../../src/index/state.repository.js'
import { StateService } from '../../src/index/state.service.js'
import { TipRepository } from '../../src/index/tip.repository.js'
import { TipFollowerService } from '../../src/index/tip-follower.service.js'
import { TipWriterService } from '../../src/index/tip-writer.service.js'
import { WriterService } from '../../src/index/writer.service.js'
import type { BlockSource } from '../../src/node/block-source.js'

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/btc-connect/migrations', import.meta.url))

export const AT_THE_TIP: IndexSettings = {
  startHeight: 0,
  track: [],
  storeRaw: true,
  bulkMinBlocks: 1_000_000,
  rangeBytes: 1_000,
  bulkWorkers: 2,
  bulkMemoryMb: 16,
  undoBlocks: 300,
}
export const IN_BULK: IndexSettings = { ...AT_THE_TIP, bulkMinBlocks: 1 }

/** An empty schema, to look into and to write. */
export async function emptyIndex() {
  const database = await freshDatabase({ schema: 'btc', migrations: MIGRATIONS })
  const pool = createPool({ url: database.url, schema: 'looking', max: 4, statementMs: 60_000 })
  return {
    url: database.url,
    pool,
    checksum: () => new ChecksumRepository(pool).compute(),
    /** As it was: for one that was whole. */
    async empty() {
      const { rows } = await pool.query<{ names: string }>(
        `SELECT string_agg(quote_ident(tablename), ', ') AS names FROM pg_tables WHERE schemaname = 'btc' AND NOT starts_with(tablename, '_')`,
      )
      await pool.query(`TRUNCATE ${rows[0]?.names} RESTART IDENTITY`)
    },
    async drop() {
      await pool.end()
      await database.drop()
    },
  }
}

export type EmptyIndex = Awaited<ReturnType<typeof emptyIndex>>

/** Indexes for one piece of work after another: to make one takes twenty times as long as to empty it. */
export class EmptyIndexes {
  private readonly all: EmptyIndex[] = []
  private readonly unused: EmptyIndex[] = []

  /** What the work fails on is not used again. */
  async lend(work: (index: EmptyIndex) => Promise<void>): Promise<void> {
    const index = this.unused.pop() ?? (await this.another())
    await work(index)
    await index.empty()
    this.unused.push(index)
  }

  async drop(): Promise<void> {
    await Promise.all(this.all.map((index) => index.drop()))
  }

  private async another(): Promise<EmptyIndex> {
    const index = await emptyIndex()
    this.all.push(index)
    return index
  }
}

/** What it takes to be killed: so many statements later, and for good. */
export class Life {
  constructor(public statements = Number.POSITIVE_INFINITY) {}

  get isOver(): boolean {
    return this.statements <= 0
  }
}

interface WriterOptions {
  readonly url: string
  readonly source: BlockSource
  readonly rules: ChainRules
  readonly settings?: IndexSettings
  readonly life?: Life
}

/** A process that writes, without the process. */
export function startWriter({ url, source, rules, settings = AT_THE_TIP, life = new Life() }: WriterOptions) {
  const pool = mortal(createPool({ url, schema: 'lease', max: 4, statementMs: 60_000 }), life)
  const patient = mortal(createPool({ url, schema: 'writer', max: 4, statementMs: Number.POSITIVE_INFINITY }), life)
  const database = new IndexDatabase({ adapter: new PrismaPg(pool, { schema: 'btc' }) })
  const states = new StateRepository(database)
  const writer = new WriterService(pool, patient)
  const chains = new ChainComparisonService(source, states)
  const loads = new LoadRepository()
  const handover = new MempoolHandoverRepository()
  const rollback = new RollbackService(writer, new RollbackRepository(pool), handover, states)
  const follower = new TipFollowerService(chains, new TipWriterService(writer, new TipRepository(), handover, states), rollback, states)
  const indexer = new IndexerService(
    new StateService(writer, states, rules, settings),
    new BulkLoaderService(writer, loads, states, chains),
    new BulkMergerService(writer, new MergeRepository(database), loads, states),
    follower,
  )
  const stop = new AbortController()
  return {
    indexer,
    writer,
    /** Writes until there is nothing more to do. */
    async settle(): Promise<void> {
      const run = await indexer.begin(stop.signal)
      while (await indexer.step(run));
      await indexer.end()
    },
    async end(): Promise<void> {
      stop.abort()
      await indexer.end().catch(() => {})
      await Promise.all([pool.end(), patient.end()])
    },
  }
}

/** Lets no statement pass once the life is over: every connection is gone then, as when a process is killed. */
function mortal(pool: Pool, life: Life): Pool {
  const connect = pool.connect.bind(pool)
  const wrapped = new WeakSet<PoolClient>()
  const clients = new Set<PoolClient>()
  const wrap = (client: PoolClient) => {
    clients.add(client)
    if (wrapped.has(client)) return
    wrapped.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    Object.assign(client, {
      query(...args: unknown[]) {
        if (life.statements-- <= 0) for (const each of clients) void (each as unknown as Client).end()
        return query(...args)
      },
    })
  }
  Object.assign(pool, {
    async connect(callback?: (error: Error | undefined, client?: PoolClient, done?: (error?: Error) => void) => void) {
      if (life.isOver) {
        if (callback) return callback(new Error('killed'))
        throw new Error('killed')
      }
      const client = await connect()
      wrap(client)
      if (!callback) return client
      callback(undefined, client, (error) => client.release(error))
    },
  })
  return pool
}
