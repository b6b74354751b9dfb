import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import type { RowGauge } from '@trestle/database/database-metrics'
import { type Prisma, PrismaClient } from './generated/prisma/client.js'

/** The Prisma client of the accounts schema. */
export class AccountsDatabase extends PrismaClient {}

/** What repositories take where a use case spans several of them. */
export type AccountsTransaction = Prisma.TransactionClient

const GAUGES: readonly RowGauge[] = [
  {
    name: 'accounts_mails_waiting',
    help: 'Mails that are not yet delivered.',
    sql: "SELECT count(*)::int AS count FROM mail WHERE state = 'queued'",
  },
]

export function databaseModule(url: string): DynamicModule {
  return DatabaseModule.forRoot({ url, schema: 'accounts', service: 'accounts', gauges: GAUGES, client: AccountsDatabase })
}
