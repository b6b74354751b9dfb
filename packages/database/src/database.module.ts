import { type DynamicModule, Module } from '@nestjs/common'
import { PrismaPg } from '@prisma/adapter-pg'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Readiness } from '@trestle/runtime/readiness'
import { Pool } from 'pg'
import { databaseProblem } from './database-problem.js'
import { createPool } from './pool.js'

// Longer than the pool waits for a connection: a transaction of Prisma is to wait as long as any other query.
const TRANSACTION_OPTIONS = { maxWait: 10_000 }

interface DatabaseOptions {
  readonly url: string
  readonly schema: string
  /** The client that Prisma generated from the service's schema, if it has one. */
  readonly client?: new (options: {
    adapter: PrismaPg
    transactionOptions: { maxWait: number }
  }) => object
}

/** Provides the pool of a service (inject pg's `Pool`) and its Prisma client (inject the generated class) on the same connections. */
@Module({})
export class DatabaseModule {
  static forRoot({ url, schema, client }: DatabaseOptions): DynamicModule {
    const pool = { provide: Pool, useFactory: () => createPool({ url, schema }) }
    const prisma = client && {
      provide: client,
      inject: [Pool],
      useFactory: (pool: Pool) => new client({ adapter: new PrismaPg(pool, { schema }), transactionOptions: TRANSACTION_OPTIONS }),
    }
    const providers = prisma ? [pool, prisma] : [pool]
    return { module: DatabaseModule, global: true, providers, exports: providers.map(({ provide }) => provide) }
  }

  constructor(pool: Pool, readiness: Readiness, lifecycle: Lifecycle, translators: ErrorTranslators) {
    readiness.add('postgres', async () => {
      await pool.query('SELECT')
    })
    lifecycle.onClose(() => pool.end())
    translators.add(databaseProblem)
  }
}
