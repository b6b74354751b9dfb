import { randomUUID } from 'node:crypto'
import { LATENCY_BUCKETS } from '@trestle/contracts/eth-rpc/latency'
import { Metrics } from '@trestle/runtime/metrics'
import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { type UsageQuery, UsageRepository } from '@trestle/usage/usage.repository'
import { UsageBook, type UsageRow } from '@trestle/usage/usage-book'
import type { MethodSums } from '@trestle/usage/usage-sums'
import { UsageWriter } from '@trestle/usage/usage-writer'
import { type EthRpcSchema, ethRpcSchema } from '../../test/eth-rpc-schema.js'
import { type CallSum, latencyOf, PROJECT_USAGE } from './project-usage.js'

const NOON = Date.UTC(2026, 10, 21, 12)
const HOUR = 3_600_000
let schema: EthRpcSchema
let repository: ProjectUsage

type ProjectUsage = UsageRepository<number, CallSum>
type ProjectRow = UsageRow<number, CallSum>

beforeAll(async () => {
  schema = await ethRpcSchema()
  repository = new UsageRepository(schema.pool, PROJECT_USAGE.table)
})
afterAll(() => schema.drop())
beforeEach(() => schema.pool.query('TRUNCATE usage_hour, usage_day, usage_writer'))

describe(UsageRepository, () => {
  it('adds what is written to what was', async () => {
    const process = randomUUID()
    await repository.write({ process, seq: 1, rows: [row(), row({ method: 'eth_chainId', computeUnits: 0 }), row({ of: 2 })] })
    await repository.write({ process, seq: 2, rows: [row({ calls: 2 })] })
    await repository.write({ process: randomUUID(), seq: 1, rows: [row({ calls: 3, latency: counts({ 0: 1, 17: 2 }) })] })
    expect(await list()).toEqual([
      usage({
        calls: 6,
        errors: 3,
        computeUnits: 78,
        bytesOut: 300,
        cacheHits: 3,
        latency: { p50: 1.75, p95: 16_384, p99: 16_384, counts: counts({ 0: 1, 3: 2, 17: 2 }) },
      }),
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

  it('has no latency for calls written before it was measured, and adds to them', async () => {
    await schema.pool.query("INSERT INTO usage_hour VALUES (1, $1, 'eth_call', 1, 1, 26, 100, 1)", [new Date(NOON)])
    expect(await list()).toEqual([usage({ latency: { p50: null, p95: null, p99: null, counts: counts({}) } })])
    await repository.write({ process: randomUUID(), seq: 1, rows: [row()] })
    expect((await list())[0]?.latency.counts).toEqual(counts({ 3: 1 }))
  })

  it('reports hours or days in UTC, the end excluded', async () => {
    const times = [NOON - 13 * HOUR, NOON, NOON + HOUR, NOON + 12 * HOUR]
    await repository.write({ process: randomUUID(), seq: 1, rows: times.map((hour) => row({ hour })) })
    const range = { from: new Date(NOON - 13 * HOUR), to: new Date(NOON + 12 * HOUR) }
    const hours = await report({ ...range, granularity: 'hour' })
    expect(hours.map(({ time, calls }) => [time, calls])).toEqual([
      ['2026-11-20T23:00:00.000Z', 1],
      ['2026-11-21T12:00:00.000Z', 1],
      ['2026-11-21T13:00:00.000Z', 1],
    ])
    const days = await report({ ...range, granularity: 'day' })
    expect(days.map(({ time, calls }) => [time, calls])).toEqual([
      ['2026-11-20T00:00:00.000Z', 1],
      ['2026-11-21T00:00:00.000Z', 2],
    ])
    expect(days.map(({ latency }) => latency.counts)).toEqual([counts({ 3: 1 }), counts({ 3: 2 })])
  })

  it('is written concurrently without deadlocks', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => row({ of: 1 + (i % 5), method: `eth_${i}` }))
    await Promise.all(
      Array.from({ length: 8 }, async (_, process) => {
        const own = process % 2 ? rows : rows.toReversed()
        for (let seq = 1; seq <= 5; seq++) await repository.write({ process: ids[process] as string, seq, rows: own })
      }),
    )
    const { rows: sums } = await schema.pool.query('SELECT sum(calls)::int AS calls FROM usage_hour')
    expect(sums).toEqual([{ calls: 8 * 5 * 50 }])
  })

  it('deletes what is older than the retention', async () => {
    await repository.write({ process: randomUUID(), seq: 1, rows: [row({ hour: NOON - 48 * HOUR }), row()] })
    await repository.removeBefore(new Date(NOON - 24 * HOUR))
    expect(await list()).toEqual([usage()])
    expect(await daysOf(1)).toEqual(['26'])
  })
})

describe(UsageWriter, () => {
  it('writes everything counted once, even when the reply to a write is lost', async () => {
    const losing = new LosingRepository(schema.pool, PROJECT_USAGE.table)
    const writer = writerTo(losing, new Metrics())
    writer.add(1, [calls(1)])
    await expect(writer.write()).rejects.toThrow('lost')
    writer.add(1, [calls(10)])
    await writer.write()
    const sums = { calls: 11, errors: 0, cacheHits: 0, computeUnits: 286, bytesOut: 1100 }
    expect(await list()).toEqual([usage({ ...sums, latency: expect.objectContaining({ counts: counts({ 3: 11 }) }) })])
  })

  it('keeps counting while Postgres is away, and reports how much waits', async () => {
    const losing = new LosingRepository(schema.pool, PROJECT_USAGE.table)
    const metrics = new Metrics()
    const writer = writerTo(losing, metrics)
    for (let i = 0; i < 100; i++) writer.add(1, [calls(1)])
    expect(await metrics.registry.getSingleMetricAsString('usage_waiting_rows')).toContain('usage_waiting_rows 1')
  })
})

/** Writes, and fails the first time all the same. */
class LosingRepository extends UsageRepository<number, CallSum> {
  private failed = false

  override async write(batch: Parameters<ProjectUsage['write']>[0]): Promise<void> {
    await super.write(batch)
    if (this.failed) return
    this.failed = true
    throw new Error('lost')
  }
}

function writerTo(store: ProjectUsage, metrics: Metrics) {
  return new UsageWriter(new UsageBook<number, CallSum>(PROJECT_USAGE.table, 100), store, new ManualClock(), metrics)
}

const ids = Array.from({ length: 8 }, () => randomUUID())

function list() {
  return report({ from: new Date(NOON - 24 * HOUR), to: new Date(NOON + 24 * HOUR), granularity: 'hour' })
}

/** Rows as their owner sees them. */
async function report(query: Omit<UsageQuery<number>, 'of'>) {
  const rows = await repository.list({ ...query, of: 1 })
  return rows.map((each) => ({ ...each, latency: latencyOf(each.latency) }))
}

async function daysOf(serial: number): Promise<string[]> {
  const { rows } = await schema.pool.query<{ compute_units: string }>(
    'SELECT compute_units FROM usage_day WHERE project = $1 AND compute_units > 0 ORDER BY day',
    [serial],
  )
  return rows.map(({ compute_units }) => compute_units)
}

function calls(count: number): MethodSums<CallSum> {
  return {
    method: 'eth_call',
    calls: count,
    errors: 0,
    computeUnits: 26 * count,
    bytesOut: 100 * count,
    cacheHits: 0,
    latency: counts({ 3: count }),
  }
}

function row(overrides: Partial<ProjectRow> = {}): ProjectRow {
  const latency = counts({ 3: 1 })
  return {
    of: 1,
    hour: NOON,
    method: 'eth_call',
    calls: 1,
    errors: 1,
    computeUnits: 26,
    bytesOut: 100,
    cacheHits: 1,
    latency,
    ...overrides,
  }
}

/** So many calls in each bucket; the third is from 1 ms to 2 ms. */
function counts(some: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => some[bucket] ?? 0)
}

function usage(overrides: object = {}) {
  const { of: _, hour: __, latency, ...sums } = row()
  return { time: '2026-11-21T12:00:00.000Z', ...sums, latency: { p50: 1.5, p95: 1.5, p99: 1.5, counts: latency }, ...overrides }
}
