import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import { createPool } from '@trestle/database/pool'
import { freshDatabase } from '@trestle/testing/postgres'
import type { Pool } from 'pg'
import { AccountsDatabase } from '../src/database.module.js'

export interface AccountsSchema {
  readonly pool: Pool
  readonly database: AccountsDatabase
  drop(): Promise<void>
}

/** The tables of this service in a database of their own, for repositories without an app around them. */
export async function accountsSchema(): Promise<AccountsSchema> {
  const migrations = fileURLToPath(new URL('../../../prisma/accounts/migrations', import.meta.url))
  const postgres = await freshDatabase({ schema: 'accounts', migrations })
  const pool = createPool({ url: postgres.url, schema: 'accounts' })
  const database = new AccountsDatabase({ adapter: new PrismaPg(pool, { schema: 'accounts' }) })
  async function drop() {
    await database.$disconnect()
    await pool.end()
    await postgres.drop()
  }
  return { pool, database, drop }
}
