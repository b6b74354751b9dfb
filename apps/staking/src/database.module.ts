import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import type { StakingEnv } from './env.js'

/** pg's `Pool`, and no Prisma client: what is written here is written in bulk, or under a lease. */
export function databaseModule({ DATABASE_URL }: StakingEnv): DynamicModule {
  return DatabaseModule.forRoot({ url: DATABASE_URL, schema: 'staking' })
}
