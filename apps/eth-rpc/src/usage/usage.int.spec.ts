import { randomUUID } from 'node:crypto'
import { Metrics } from '@trestle/runtime/metrics'
import { SetClock } from '@trestle/runtime/test/set-clock'
import { type EthRpcSchema, ethRpcSchema } from '../../test/eth-rpc-schema.js'
import type { ProjectCounts } from './meter.js'
import { UsageRepository } from './usage.repository.js'
import type { UsageRow } from './usage-book.js'
import { UsageWriter } from './usage-writer.service.js'

const NOON = Date.UTC(2026, 10, 21, 12)
const HOUR = 3_600_000
let schema: EthRpcSchema
let repository: UsageRepository

beforeAll(async () => {
  schema = await ethRpcSchema()
  repository = new UsageRepository(schema.pool)
})
afterAll(() => schema.drop())
beforeEach(() => schema.pool.query('TRUNCATE usage_hour, usage_day, usage_writer'))

describe(UsageRepository, () => {
  it('adds what is written to what was', async () => {
    const process = randomUUID()
    await repository.write({ process, seq: 1, rows: [row(), row({ method: 'eth_chainId', computeUnits: 0 }), row({ serial: 2 })] })
    await repository.write({ process, seq: 2, rows: [row({ calls: 2 })] })
    await repository.write({ process: randomUUID(), seq: 1, rows: [row({ calls: 3 })] })
    expect(await list()).toEqual([
      usage({ calls: 6, errors: 3, computeUnits: 78, bytesOut: 300, cacheHits: 3 }),
      usage({ method: 'eth_chainId', computeUnits: 0 }),
    ])
    expect(await daysOf(1)).toEqual(['78'])
  })

  it('changes nothing when the same batch is written again', async () => {
    const batch = { process: randomUUID(), seq: 7, rows: [row()] }
    await repository.write(batch)
    await repository.write(batch)
    await repository.write({ ...batch, seq: 6 })
    expect(await list()).toEqual([usage()])
    expect(await daysOf(1)).toEqual(['26'])
  })

  it('tells hours or days in UTC, from the first to before the last', async () => {
    const times = [NOON - 13 * HOUR, NOON, NOON + HOUR, NOON + 12 * HOUR]
    await repository.write({ process: randomUUID(), seq: 1, rows: times.map((hour) => row({ hour })) })
    const range = { serial: 1, from: new Date(NOON - 13 * HOUR), to: new Date(NOON + 12 * HOUR) }
    const hours = await repository.list({ ...range, granularity: 'hour' })
    expect(hours.map(({ time, calls }) => [time, calls])).toEqual([
      ['2026-11-20T23:00:00.000Z', 1],
      ['2026-11-21T12:00:00.000Z', 1],
      ['2026-11-21T13:00:00.000Z', 1],
    ])
    const days = await repository.list({ ...range, granularity: 'day' })
    expect(days.map(({ time, calls }) => [time, calls])).toEqual([
      ['2026-11-20T00:00:00.000Z', 1],
      ['2026-11-21T00:00:00.000Z', 2],
    ])
  })

  it('is written by many at once without one locking another out', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => row({ serial: 1 + (i % 5), method: `eth_${i}` }))
    await Promise.all(
      Array.from({ length: 8 }, async (_, process) => {
        const own = process % 2 ? rows : rows.toReversed()
        for (let seq = 1; seq <= 5; seq++) await repository.write({ process: ids[process] as string, seq, rows: own })
      }),
    )
    const { rows: sums } = await schema.pool.query('SELECT sum(calls)::int AS calls FROM usage_hour')
    expect(sums).toEqual([{ calls: 8 * 5 * 50 }])
  })

  it('removes what is older than it has to be kept', async () => {
    await repository.write({ process: randomUUID(), seq: 1, rows: [row({ hour: NOON - 48 * HOUR }), row()] })
    await repository.removeBefore(new Date(NOON - 24 * HOUR))
    expect(await list()).toEqual([usage()])
    expect(await daysOf(1)).toEqual(['26'])
  })
})

describe(UsageWriter, () => {
  it('writes all that was counted once, also when the answer to a write is lost', async () => {
    const losing = new LosingRepository(schema.pool)
    const writer = new UsageWriter(losing, new SetClock(), new Metrics())
    writer.add([counts(1)])
    await expect(writer.write()).rejects.toThrow('lost')
    writer.add([counts(10)])
    await writer.write()
    expect(await list()).toEqual([usage({ calls: 11, errors: 0, cacheHits: 0, computeUnits: 286, bytesOut: 1100 })])
  })

  it('goes on counting while Postgres is away, and says how much waits', async () => {
    const losing = new LosingRepository(schema.pool)
    const metrics = new Metrics()
    const writer = new UsageWriter(losing, new SetClock(), metrics)
    for (let i = 0; i < 100; i++) writer.add([counts(1)])
    expect(await metrics.registry.getSingleMetricAsString('usage_waiting_rows')).toContain('usage_waiting_rows 1')
  })
})

/** Writes, and fails the first time all the same. */
class LosingRepository extends UsageRepository {
  private failed = false

  override async write(batch: Parameters<UsageRepository['write']>[0]): Promise<void> {
    await super.write(batch)
    if (this.failed) return
    this.failed = true
    throw new Error('lost')
  }
}

const ids = Array.from({ length: 8 }, () => randomUUID())

function list() {
  return repository.list({ serial: 1, from: new Date(NOON - 24 * HOUR), to: new Date(NOON + 24 * HOUR), granularity: 'hour' })
}

async function daysOf(serial: number): Promise<string[]> {
  const { rows } = await schema.pool.query<{ compute_units: string }>(
    'SELECT compute_units FROM usage_day WHERE project = $1 AND compute_units > 0 ORDER BY day',
    [serial],
  )
  return rows.map(({ compute_units }) => compute_units)
}

function counts(calls: number): ProjectCounts {
  const project = { serial: 1, id: 'a'.repeat(32), ownerId: 'user-1' }
  return { project, methods: [{ method: 'eth_call', calls, errors: 0, computeUnits: 26 * calls, bytesOut: 100 * calls, cacheHits: 0 }] }
}

function row(overrides: Partial<UsageRow> = {}): UsageRow {
  return { serial: 1, hour: NOON, method: 'eth_call', calls: 1, errors: 1, computeUnits: 26, bytesOut: 100, cacheHits: 1, ...overrides }
}

function usage(overrides: object = {}) {
  const { serial: _, hour: __, ...sums } = row()
  return { time: '2026-11-21T12:00:00.000Z', ...sums, ...overrides }
}
