import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import type { NodesEnv } from './env.js'

/** pg's `Pool`, and no Prisma client: intents are rows that people and a reconciler under a lease write side by side. */
export function databaseModule({ DATABASE_URL }: NodesEnv): DynamicModule {
  return DatabaseModule.forRoot({ url: DATABASE_URL, schema: 'nodes' })
}
