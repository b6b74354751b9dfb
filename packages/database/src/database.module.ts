import { type DynamicModule, Injectable, Module } from '@nestjs/common'
import { PrismaPg } from '@prisma/adapter-pg'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { withTimeout } from '@trestle/runtime/with-timeout'
import { Pool } from 'pg'
import { addDatabaseMetrics, addRowGauge, type RowGauge } from './database-metrics.js'
import { databaseProblem } from './database-problem.js'
import { createPool } from './pool.js'
import { migrationsOf, SchemaCheck } from './schema-check.js'

// Longer than the pool waits for a connection: a transaction of Prisma is to wait as long as any other query.
const TRANSACTION_OPTIONS = { maxWait: 10_000 }

/** Of one service. */
abstract class DatabaseOptions {
  abstract readonly url: string
  abstract readonly schema: string
  /** Whose migrations it needs, by the name of their folder; left out where a schema has none. */
  abstract readonly service?: string
  /** The client that Prisma generated from the service's schema, if it has one. */
  abstract readonly client?: new (options: {
    adapter: PrismaPg
    transactionOptions: { maxWait: number }
  }) => object
  /** How long the service does its job without Postgres, by what it has in memory. */
  abstract readonly servesWithoutMs?: number
  abstract readonly gauges?: readonly RowGauge[]
}

// Shorter than the limit of a readiness check.
const PROBE_MS = 1_500

@Injectable()
class DatabaseChecks {
  constructor(pool: Pool, readiness: Readiness, translators: ErrorTranslators, { service, servesWithoutMs = 0 }: DatabaseOptions) {
    readiness.add('postgres', postgresCheck(pool, servesWithoutMs))
    if (service === undefined) return
    const schema = new SchemaCheck(pool, migrationsOf(service))
    readiness.add('migrations', () => schema.check())
    translators.add((error) => schema.problemOf(error))
    // Usually the schema is complete: known so before the first request.
    schema.check().catch(() => {})
  }
}

@Injectable()
class DatabaseGauges {
  constructor(pool: Pool, metrics: Metrics, { gauges = [] }: DatabaseOptions) {
    addDatabaseMetrics(pool, metrics)
    for (const gauge of gauges) addRowGauge(pool, metrics, gauge)
  }
}

/** Provides the pool of a service (inject pg's `Pool`) and its Prisma client (inject the generated class) on the same connections. */
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    const { url, schema, client } = options
    const pool = { provide: Pool, useFactory: () => createPool({ url, schema }) }
    const prisma = client && {
      provide: client,
      inject: [Pool],
      useFactory: (pool: Pool) => new client({ adapter: new PrismaPg(pool, { schema }), transactionOptions: TRANSACTION_OPTIONS }),
    }
    const shared = prisma ? [pool, prisma] : [pool]
    return {
      module: DatabaseModule,
      global: true,
      providers: [...shared, { provide: DatabaseOptions, useValue: options }, DatabaseChecks, DatabaseGauges],
      exports: shared.map(({ provide }) => provide),
    }
  }

  constructor(pool: Pool, lifecycle: Lifecycle, translators: ErrorTranslators) {
    lifecycle.onClose(() => pool.end())
    translators.add(databaseProblem)
  }
}

/** Rejects once Postgres has not answered for so long. */
function postgresCheck(pool: Pool, servesWithoutMs: number): () => Promise<void> {
  let answeredAt = Number.NEGATIVE_INFINITY
  return async () => {
    try {
      await withTimeout(PROBE_MS, () => pool.query('SELECT'))
      answeredAt = performance.now()
    } catch (error) {
      if (performance.now() - answeredAt >= servesWithoutMs) throw error
    }
  }
}
