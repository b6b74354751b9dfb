import type { DynamicModule } from '@nestjs/common'
import { DatabaseModule } from '@trestle/database/database.module'
import { type Prisma, PrismaClient } from './generated/prisma/client.js'

/** The Prisma client of the accounts schema. */
export class AccountsDatabase extends PrismaClient {}

/** What repositories take where a use case spans several of them. */
export type AccountsTransaction = Prisma.TransactionClient

export function databaseModule(url: string): DynamicModule {
  return DatabaseModule.forRoot({ url, schema: 'accounts', service: 'accounts', client: AccountsDatabase })
}
