import { type DynamicModule, Module, type Type } from '@nestjs/common'
import { PrismaPg } from '@prisma/adapter-pg'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Readiness } from '@trestle/runtime/readiness'
import { Pool } from 'pg'
import { databaseProblem } from './database-problem.js'
import { createPool } from './pool.js'

export interface DatabaseOptions {
  readonly url: string
  readonly schema: string
  /** The client Prisma generated from the service's schema. */
  readonly client: new (options: {
    adapter: PrismaPg
  }) => object
}

/** Gives a service its pool (inject pg's `Pool`) and its Prisma client (inject the generated class), which share their connections. */
@Module({})
export class DatabaseModule {
  static forRoot({ url, schema, client }: DatabaseOptions): DynamicModule {
    const prisma = client as Type
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        { provide: Pool, useFactory: () => createPool({ url, schema }) },
        { provide: prisma, inject: [Pool], useFactory: (pool: Pool) => new client({ adapter: new PrismaPg(pool, { schema }) }) },
      ],
      exports: [Pool, prisma],
    }
  }

  constructor(pool: Pool, readiness: Readiness, lifecycle: Lifecycle, translators: ErrorTranslators) {
    readiness.add('postgres', async () => {
      await pool.query('SELECT')
    })
    lifecycle.onClose(() => pool.end())
    translators.add(databaseProblem)
  }
}
