import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@trestle/database/migrate'
import { createPool } from '@trestle/database/pool'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import type { Pool } from 'pg'
import { STAKING_MIGRATIONS } from './staking-under-test.js'

// Replicas of the release before continue while they are replaced: these are their statements.
const ADD = `
  INSERT INTO validator (chain, pubkey, user_id, region, withdrawal_credentials, deposit_data, created_at, request_key, request_hash, fee_address)
  VALUES ('dev', $1, $2, 'eu', $3, $4, $5, NULL, NULL, $6) RETURNING serial, user_id, region, removed_at`
const LIST = 'SELECT serial FROM validator WHERE user_id = $1 AND chain = $2 AND removed_at IS NULL ORDER BY serial'
const REMOVE = 'UPDATE validator SET removed_at = $2 WHERE serial = $1 AND removed_at IS NULL'

const LAST_BEFORE = '20261130100000_notice_lost_events'
const [ANN, BEN] = ['user-00000000-0000-4000-8000-00000000000a', 'user-00000000-0000-4000-8000-00000000000b']

let database: TestDatabase
let pool: Pool
let dir: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'migrations-'))
  for (const name of readdirSync(STAKING_MIGRATIONS).filter((each) => each <= LAST_BEFORE))
    cpSync(join(STAKING_MIGRATIONS, name), join(dir, name), { recursive: true })
  database = await freshDatabase({ schema: 'staking', migrations: dir })
  pool = createPool({ url: database.url, schema: 'staking' })
  await add(1, ANN)
  await add(2, BEN)
  await migrate({ url: database.url, schema: 'staking', folder: STAKING_MIGRATIONS })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
  rmSync(dir, { recursive: true })
})

it('leaves its validators to the personal organizations of their creators', async () => {
  expect(await owners()).toEqual([`1 ${ANN.replace('user', 'org')}`, `2 ${BEN.replace('user', 'org')}`])
})

it('creates, lists and removes validators on the new tables', async () => {
  expect(await add(3, ANN)).toEqual({ serial: 3, user_id: ANN, region: 'eu', removed_at: null })
  expect((await owners()).at(-1)).toBe(`3 ${ANN.replace('user', 'org')}`)
  expect((await pool.query(LIST, [ANN, 'dev'])).rows).toEqual([{ serial: 1 }, { serial: 3 }])
  expect((await pool.query(REMOVE, [3, new Date()])).rowCount).toBe(1)
  expect((await pool.query(LIST, [ANN, 'dev'])).rows).toEqual([{ serial: 1 }])
})

async function add(serial: number, userId: string) {
  const [pubkey, credentials, deposit, address] = [Buffer.alloc(48, serial), Buffer.alloc(32), Buffer.alloc(420), Buffer.alloc(20)]
  const { rows } = await pool.query(ADD, [pubkey, userId, credentials, deposit, new Date('2026-11-01T10:00:00Z'), address])
  return rows[0]
}

async function owners(): Promise<string[]> {
  const { rows } = await pool.query<{ serial: number; organization_id: string }>('SELECT serial, organization_id FROM validator ORDER BY 1')
  return rows.map(({ serial, organization_id }) => `${serial} ${organization_id}`)
}
