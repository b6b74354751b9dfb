import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import { createPool } from '@trestle/database/pool'
import { freshDatabase } from '@trestle/testing/postgres'
import type { Pool } from 'pg'
import { StakingDatabase } from '../src/database.module.js'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/staking/migrations', import.meta.url))

/** Prisma's client on the connections of a pool. */
export function databaseOn(pool: Pool): StakingDatabase {
  return new StakingDatabase({ adapter: new PrismaPg(pool, { schema: 'staking' }) })
}

/** The tables of the service in their own database, for repositories without an app. */
export async function rewardsSchema(): Promise<{ pool: Pool; prisma: StakingDatabase; drop(): Promise<void> }> {
  const database = await freshDatabase({ schema: 'staking', migrations: MIGRATIONS })
  const pool = createPool({ url: database.url, schema: 'staking' })
  async function drop() {
    await pool.end()
    await database.drop()
  }
  return { pool, prisma: databaseOn(pool), drop }
}

/** A row of `validator`, as creating one leaves it. */
export async function insertValidator(
  pool: Pool,
  validator: {
    serial: number
    pubkey: Buffer
    userId: string
    /** The user's own, unless one is given. */
    organizationId?: string
    createdAt: Date
    feeAddress: Buffer
    withdrawalCredentials: Buffer
  },
) {
  const { serial, pubkey, userId, organizationId, createdAt, feeAddress, withdrawalCredentials } = validator
  await pool.query(
    `INSERT INTO validator (serial, chain, pubkey, user_id, region, withdrawal_credentials, deposit_data, created_at, fee_address, organization_id)
     VALUES ($1, 'dev', $2, $3, 'here', $4, $5, $6, $7, $8)`,
    [serial, pubkey, userId, withdrawalCredentials, Buffer.alloc(420), createdAt, feeAddress, organizationId],
  )
}
