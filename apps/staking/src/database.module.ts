import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import type { StakingEnv } from './env.js'
import { type Prisma, PrismaClient } from './generated/prisma/client.js'

/** The client of the staking schema. Repositories use pg's `Pool` instead for what is written in bulk or under a lease. */
export class StakingDatabase extends PrismaClient {}

export type StakingTransaction = Prisma.TransactionClient

export function databaseModule({ DATABASE_URL }: StakingEnv): DynamicModule {
  return DatabaseModule.forRoot({ url: DATABASE_URL, schema: 'staking', service: 'staking', client: StakingDatabase })
}
