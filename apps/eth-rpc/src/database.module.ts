import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import { STALE_MS } from '@trestle/database/live-rows'
import type { EthRpcEnv } from './env.js'
import { type Prisma, PrismaClient } from './generated/prisma/client.js'

/** The client of this deployment's schema. */
export class EthRpcDatabase extends PrismaClient {}

/** What repositories take where a use case spans several of them. */
export type EthRpcTransaction = Prisma.TransactionClient

/**
 * Each deployment has a schema of its own, by the name that migrate-cli gives it, and so its own projects. Calls of the projects
 * in memory are served without Postgres for as long as those are.
 */
export function databaseModule({ DATABASE_URL, DEPLOYMENT }: Pick<EthRpcEnv, 'DATABASE_URL' | 'DEPLOYMENT'>): DynamicModule {
  return DatabaseModule.forRoot({
    url: DATABASE_URL,
    schema: DEPLOYMENT.replaceAll('-', '_'),
    service: 'eth-rpc',
    client: EthRpcDatabase,
    servesWithoutMs: STALE_MS,
  })
}
