import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import type { BtcConnectEnv } from './env.js'
import { PrismaClient } from './generated/prisma/client.js'

/** The Prisma client of one chain's schema, for the rows that say how far the index is; the index itself is SQL (decision 9). */
export class IndexDatabase extends PrismaClient {}

export function databaseModule({ DATABASE_URL, DEPLOYMENT }: BtcConnectEnv): DynamicModule {
  // The name that migrate-cli gives the schema of a deployment.
  const schema = DEPLOYMENT.replaceAll('-', '_')
  return DatabaseModule.forRoot({ url: DATABASE_URL, schema, service: 'btc-connect', client: IndexDatabase })
}
