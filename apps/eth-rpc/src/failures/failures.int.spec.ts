import { randomBytes, randomUUID } from 'node:crypto'
import { Metrics } from '@trestle/runtime/metrics'
import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { type EthRpcSchema, ethRpcSchema } from '../../test/eth-rpc-schema.js'
import { errorOf } from '../framing/outcome.js'
import { type FailureSample, sampleId } from './failed-call.js'
import type { FailureCount } from './failure-book.engine.js'
import { FailureLog } from './failure-log.engine.js'
import { FailureWriter } from './failure-writer.engine.js'
import { type FailureBatch, FailuresRepository, MAX_SAMPLES, MAX_SAMPLES_OF_KIND } from './failures.repository.js'

const NOON = Date.UTC(2026, 10, 21, 12)
const HOUR = 3_600_000
let schema: EthRpcSchema
let repository: FailuresRepository
let project: number
let other: number

beforeAll(async () => {
  schema = await ethRpcSchema()
  repository = new FailuresRepository(schema.database, schema.pool)
})
afterAll(() => schema.drop())
beforeEach(async () => {
  project = await addProject()
  other = await addProject()
})

describe(FailuresRepository, () => {
  it('adds up counts by hour, method and code, and reports hours or days', async () => {
    await write([count(), count({ code: -32000 }), count({ hour: NOON + HOUR })])
    await write([count({ failures: 4 }), count({ hour: NOON - 13 * HOUR }), count({ project: other })])
    const range = { project, from: new Date(NOON - 24 * HOUR), to: new Date(NOON + 24 * HOUR) }
    expect(await repository.count({ ...range, granularity: 'hour' })).toEqual([
      { time: new Date(NOON - 13 * HOUR), method: 'eth_call', code: 3, count: 1 },
      { time: new Date(NOON), method: 'eth_call', code: -32000, count: 1 },
      { time: new Date(NOON), method: 'eth_call', code: 3, count: 5 },
      { time: new Date(NOON + HOUR), method: 'eth_call', code: 3, count: 1 },
    ])
    expect((await repository.count({ ...range, granularity: 'day' })).map((row) => row.count)).toEqual([1, 1, 6])
    expect(await repository.count({ ...range, to: new Date(NOON), granularity: 'hour' })).toHaveLength(1)
  })

  it('changes nothing when the same batch is written again', async () => {
    const batch: FailureBatch = { process: randomUUID(), seq: 7, counts: [count()], samples: [sample()] }
    await repository.write(batch)
    await repository.write(batch)
    await repository.write({ ...batch, seq: 6 })
    expect(await totalOf(project)).toBe(1)
    expect(await repository.list({ project, limit: 10 })).toEqual(batch.samples)
  })

  it('lists samples newest first, by method and code, page by page', async () => {
    const samples = Array.from({ length: 5 }, (_, i) => sample({ at: NOON + i, method: i % 2 ? 'eth_call' : 'eth_getLogs', code: i }))
    await write([], samples)
    const [first, second] = (await repository.list({ project, limit: 2 })) as [FailureSample, FailureSample]
    expect([first, second]).toEqual([samples[4], samples[3]])
    expect(await repository.list({ project, limit: 10, before: second.id })).toEqual([samples[2], samples[1], samples[0]])
    expect(await repository.list({ project, limit: 10, method: 'eth_call' })).toEqual([samples[3], samples[1]])
    expect(await repository.list({ project, limit: 10, code: 2 })).toEqual([samples[2]])
    expect(await repository.list({ project: other, limit: 10 })).toEqual([])
  })

  it('finds what is of one request, oldest first', async () => {
    const samples = [
      sample({ requestId: 'request-1' }),
      sample({ at: NOON + 1, requestId: 'request-1' }),
      sample({ requestId: 'request-2' }),
    ]
    await write([], samples)
    expect(await repository.listOfRequest(project, 'request-1')).toEqual(samples.slice(0, 2))
    expect(await repository.listOfRequest(other, 'request-1')).toEqual([])
  })

  it('keeps any text as it is', async () => {
    const texts = ['\u0000', '\ud800', '"\\', "'; DROP TABLE failed_call; --", '\u{1f525}']
    const detail = { ms: 1, request: { params: texts }, error: { message: texts.join() } }
    await write([], [{ ...sample(), detail }])
    expect((await repository.list({ project, limit: 1 }))[0]?.detail.request.params).toEqual(texts)
  })

  it('keeps the newest of a project, and fewer of what fails all the time', async () => {
    const methods = ['eth_call', 'a', 'b', 'c', 'd', 'e', 'f'].flatMap((method) => Array<string>(MAX_SAMPLES_OF_KIND).fill(method))
    const often = Array.from({ length: 300 }, (_, i) => sample({ at: NOON + 10_000 + i }))
    await write([], [...methods.map((method, i) => sample({ at: NOON + i, method })), ...often])
    await write([], [sample({ of: other })])
    await Promise.all([repository.trim([project]), repository.trim([project])])
    const kept = await repository.list({ project, limit: 5000 })
    expect(kept).toHaveLength(MAX_SAMPLES)
    expect(kept.filter(({ method }) => method === 'eth_call')).toHaveLength(MAX_SAMPLES_OF_KIND)
    expect(kept[0]).toEqual(often.at(-1))
    expect(await repository.list({ project: other, limit: 10 })).toHaveLength(1)
  })

  it('leaves out what is of a project that is gone, and removes what is left with it', async () => {
    await write([count()], [sample()])
    await schema.database.project.delete({ where: { serial: project } })
    await write([count(), count({ project: other })], [sample(), sample({ of: other })])
    for (const table of ['failure_hour', 'failed_call']) {
      const { rows } = await schema.pool.query(`SELECT project FROM ${table} WHERE project = ANY($1)`, [[project, other]])
      expect(rows).toEqual([{ project: other }])
    }
  })

  it('keeps no sample of a project that wants none, from that moment on', async () => {
    await write([count()], [sample()])
    await schema.database.project.update({ where: { serial: project }, data: { failureSamples: false } })
    expect(await repository.list({ project, limit: 10 })).toEqual([])
    await write([count()], [sample()])
    expect(await repository.list({ project, limit: 10 })).toEqual([])
    expect(await totalOf(project)).toBe(2)
  })

  it('writes nothing past a change that was not yet committed when it began', async () => {
    const client = await schema.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('UPDATE project SET failure_samples = false WHERE serial = $1', [project])
      const writing = write([count()], [sample()])
      await new Promise((resolve) => setTimeout(resolve, 100))
      await client.query('COMMIT')
      await writing
    } finally {
      client.release()
    }
    expect(await repository.list({ project, limit: 10 })).toEqual([])
    expect(await totalOf(project)).toBe(1)
  })

  it('is written concurrently without deadlocks', async () => {
    const counts = Array.from({ length: 60 }, (_, i) => count({ project: i % 2 ? project : other, code: i }))
    await Promise.all(
      Array.from({ length: 8 }, async (_, process) => {
        for (let i = 0; i < 5; i++) {
          const samples = [sample({ at: NOON + process * 100 + i }), sample({ of: other, at: NOON + process * 100 + i })]
          await write(process % 2 ? counts : counts.toReversed(), process % 2 ? samples : samples.toReversed())
        }
      }),
    )
    expect([await totalOf(project), await totalOf(other)]).toEqual([8 * 5 * 30, 8 * 5 * 30])
  })

  it('removes what is older than it is kept', async () => {
    await write([count({ hour: NOON - 48 * HOUR }), count()], [sample({ at: NOON - 48 * HOUR }), sample()])
    await repository.removeBefore({ samples: new Date(NOON - 24 * HOUR), counts: new Date(NOON - 24 * HOUR) })
    expect([await totalOf(project), (await repository.list({ project, limit: 10 })).length]).toEqual([1, 1])
  })
})

describe(FailureWriter, () => {
  it('writes everything once, even when the reply to a write is lost', async () => {
    const { log, writer } = writerTo(new LosingRepository(schema.database, schema.pool))
    fail(log)
    await expect(writer.write()).rejects.toThrow('lost')
    fail(log)
    await writer.write()
    expect([await totalOf(project), (await repository.list({ project, limit: 10 })).length]).toEqual([2, 2])
  })

  it('trims a project as its samples come', async () => {
    const { log, writer } = writerTo(repository)
    for (let round = 0; round < 60; round++) {
      for (let i = 0; i < 10; i++) fail(log)
      await writer.write()
    }
    // Five of the same a moment, and up to fifty since the last time.
    const kept = await repository.list({ project, limit: 5000 })
    expect(kept.length).toBeGreaterThanOrEqual(MAX_SAMPLES_OF_KIND)
    expect(kept.length).toBeLessThan(MAX_SAMPLES_OF_KIND + 50)
    expect(await totalOf(project)).toBe(600)
  })

  it('keeps what it may while Postgres is away, and tells what it lost', async () => {
    const metrics = new Metrics()
    const { log, writer } = writerTo(new AwayRepository(schema.database, schema.pool), metrics)
    for (let i = 0; i < 60_000; i++) log.countRefusal({ serial: i }, -32016)
    const outcome = errorOf({ code: 3, message: 'execution reverted' })
    for (let i = 0; i < 1_010; i++)
      log.note({ served: 'eth_call', outcome, ms: 1 }, { project: { serial: i, failureSamples: true }, requestId: 'request-1' })
    await expect(writer.write()).rejects.toThrow('away')
    const lost = await metrics.registry.getSingleMetricAsString('failures_lost_total')
    expect(lost).toContain('failures_lost_total{kind="count"} 11010')
    expect(lost).toContain('failures_lost_total{kind="sample"} 10')
  })
})

/** Writes, and fails the first time all the same. */
class LosingRepository extends FailuresRepository {
  private failed = false

  override async write(batch: FailureBatch): Promise<void> {
    await super.write(batch)
    if (this.failed) return
    this.failed = true
    throw new Error('lost')
  }
}

class AwayRepository extends FailuresRepository {
  override write(): Promise<void> {
    return Promise.reject(new Error('away'))
  }
}

function writerTo(store: FailuresRepository, metrics = new Metrics()) {
  const log = new FailureLog(new ManualClock(), metrics)
  return { log, writer: new FailureWriter(log, store) }
}

function fail(log: FailureLog): void {
  const outcome = errorOf({ code: 3, message: 'execution reverted' })
  log.note({ served: 'eth_call', outcome, ms: 1 }, { project: { serial: project, failureSamples: true }, requestId: 'request-1' })
}

function write(counts: readonly FailureCount[], samples: readonly FailureSample[] = []): Promise<void> {
  return repository.write({ process: randomUUID(), seq: 1, counts, samples })
}

function count(overrides: Partial<FailureCount> = {}): FailureCount {
  return { project, hour: NOON, method: 'eth_call', code: 3, failures: 1, ...overrides }
}

function sample({ of = project, at = NOON, method = 'eth_call', code = 3, requestId = 'request-0' } = {}): FailureSample {
  const detail = { ms: 1.5, request: { id: '1', params: ['latest'] }, error: { message: 'execution reverted' } }
  return { project: of, id: sampleId(at, randomBytes(16)), time: new Date(at), requestId, method, code, detail }
}

async function totalOf(serial: number): Promise<number> {
  const { rows } = await schema.pool.query<{ sum: number }>('SELECT sum(failures)::int AS sum FROM failure_hour WHERE project = $1', [
    serial,
  ])
  return rows[0]?.sum ?? 0
}

async function addProject(): Promise<number> {
  const now = new Date()
  const owner = { organizationId: 'org-1', ownerId: 'user-1', name: 'mine', createdAt: now, updatedAt: now }
  const rules = { allowedOrigins: [], allowedMethods: [], allowedContracts: [], allowedIps: [] }
  const data = { ...owner, ...rules, id: randomBytes(16).toString('hex'), requireToken: false, perSecond: 1, perDay: 1n }
  return (await schema.database.project.create({ data })).serial
}
