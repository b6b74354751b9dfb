import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import type { NodesEnv } from './env.js'
import { PrismaClient } from './generated/prisma/client.js'

/** The client of the nodes schema. */
export class NodesDatabase extends PrismaClient {}

export function databaseModule({ DATABASE_URL }: Pick<NodesEnv, 'DATABASE_URL'>): DynamicModule {
  return DatabaseModule.forRoot({ url: DATABASE_URL, schema: 'nodes', service: 'nodes', client: NodesDatabase })
}
