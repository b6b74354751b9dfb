import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import type { BtcConnectEnv } from './env.js'

/** pg's `Pool`, and no Prisma client: the index is written by COPY and read by hand-made SQL (decision record 0009). */
export function databaseModule({ DATABASE_URL, DEPLOYMENT }: BtcConnectEnv): DynamicModule {
  return DatabaseModule.forRoot({ url: DATABASE_URL, schema: DEPLOYMENT })
}
