import { randomUUID } from 'node:crypto'
import { createPool } from '@trestle/database/pool'
import { Metrics } from '@trestle/runtime/metrics'
import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import { UsageRepository } from '@trestle/usage/usage.repository'
import { UsageBook, type UsageRow } from '@trestle/usage/usage-book'
import { UsageWriter } from '@trestle/usage/usage-writer'
import type { Pool } from 'pg'
import { NODES_MIGRATIONS } from '../../test/nodes-under-test.js'
import { WORKLOAD_USAGE } from './workload-usage.js'

const NOON = Date.UTC(2026, 10, 21, 12)
const HOUR = 3_600_000
let database: TestDatabase
let pool: Pool
let repository: UsageRepository<string>

beforeAll(async () => {
  database = await freshDatabase({ schema: 'nodes', migrations: NODES_MIGRATIONS })
  pool = createPool({ url: database.url, schema: 'nodes' })
  repository = new UsageRepository(pool, WORKLOAD_USAGE.table)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(() => pool.query('TRUNCATE usage, usage_writer'))

describe(UsageRepository, () => {
  it('adds what is written to what was', async () => {
    const process = randomUUID()
    await repository.write({ process, seq: 1, rows: [row(), row({ method: 'rest' }), row({ of: 'node-2' })] })
    await repository.write({ process, seq: 2, rows: [row({ calls: 2 })] })
    await repository.write({ process: randomUUID(), seq: 1, rows: [row({ calls: 3 })] })
    expect(await list()).toEqual([usage({ calls: 6, errors: 3, bytesOut: 300 }), usage({ method: 'rest' })])
  })

  it('changes nothing when the same batch is written again', async () => {
    const batch = { process: randomUUID(), seq: 7, rows: [row()] }
    await Promise.all([repository.write(batch), repository.write(batch)])
    await repository.write({ ...batch, seq: 6 })
    expect(await list()).toEqual([usage()])
  })

  it('is written by many at once without one locking another out', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => row({ of: `node-${i % 5}`, method: `eth_${i}` }))
    await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const process = randomUUID()
        const own = i % 2 ? rows : rows.toReversed()
        for (let seq = 1; seq <= 5; seq++) await repository.write({ process, seq, rows: own })
      }),
    )
    const { rows: sums } = await pool.query('SELECT sum(calls)::int AS calls FROM usage')
    expect(sums).toEqual([{ calls: 8 * 5 * 50 }])
  })

  it('removes what is older than it has to be kept, and the numbers of processes that write no more', async () => {
    await repository.write({ process: randomUUID(), seq: 1, rows: [row({ hour: NOON - 48 * HOUR }), row()] })
    await pool.query("UPDATE usage_writer SET written_at = now() - interval '25 hours'")
    await repository.write({ process: randomUUID(), seq: 2, rows: [] })
    await repository.removeBefore(new Date(NOON - 24 * HOUR))
    expect(await list()).toEqual([usage()])
    expect((await pool.query('SELECT seq FROM usage_writer')).rows).toEqual([{ seq: '2' }])
  })
})

describe(UsageWriter, () => {
  it('writes all that was counted once, also when the answer to a write is lost', async () => {
    const writer = new UsageWriter(
      new UsageBook<string>(WORKLOAD_USAGE.table, 100),
      new LosingRepository(pool, WORKLOAD_USAGE.table),
      new ManualClock(),
      new Metrics(),
    )
    writer.add('node-1', [{ method: 'eth_call', calls: 1, errors: 0, bytesOut: 7, latency: [] }])
    await expect(writer.write()).rejects.toThrow('lost')
    writer.add('node-1', [{ method: 'eth_call', calls: 10, errors: 1, bytesOut: 70, latency: [] }])
    await writer.write()
    expect(await list()).toEqual([usage({ calls: 11, errors: 1, bytesOut: 77 })])
  })
})

/** Writes, and fails the first time all the same. */
class LosingRepository extends UsageRepository<string> {
  private failed = false

  override async write(batch: Parameters<UsageRepository<string>['write']>[0]): Promise<void> {
    await super.write(batch)
    if (this.failed) return
    this.failed = true
    throw new Error('lost')
  }
}

function list() {
  return repository.list({ of: 'node-1', from: new Date(NOON - 72 * HOUR), to: new Date(NOON + HOUR), granularity: 'hour' })
}

function row(overrides: Partial<UsageRow<string>> = {}): UsageRow<string> {
  return { of: 'node-1', hour: NOON, method: 'eth_call', calls: 1, errors: 1, bytesOut: 100, latency: [], ...overrides }
}

function usage(overrides: object = {}) {
  const { of: _, hour: __, ...sums } = row()
  return { time: '2026-11-21T12:00:00.000Z', ...sums, ...overrides }
}
