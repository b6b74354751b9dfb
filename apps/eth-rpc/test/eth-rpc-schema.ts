import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import { createPool } from '@trestle/database/pool'
import { freshDatabase } from '@trestle/testing/postgres'
import type { Pool } from 'pg'
import { EthRpcDatabase } from '../src/database.module.js'

export interface EthRpcSchema {
  readonly pool: Pool
  readonly database: EthRpcDatabase
  drop(): Promise<void>
}

export const ETH_RPC_MIGRATIONS = fileURLToPath(new URL('../../../prisma/eth-rpc/migrations', import.meta.url))

/** The tables of one deployment in a database of their own, for repositories without an app around them. */
export async function ethRpcSchema(): Promise<EthRpcSchema> {
  const postgres = await freshDatabase({ schema: 'eth', migrations: ETH_RPC_MIGRATIONS })
  const pool = createPool({ url: postgres.url, schema: 'eth' })
  const database = new EthRpcDatabase({ adapter: new PrismaPg(pool, { schema: 'eth' }) })
  async function drop() {
    await database.$disconnect()
    await pool.end()
    await postgres.drop()
  }
  return { pool, database, drop }
}
