import { ManualClock } from '@trestle/runtime/test/manual-clock'
import type { UsageService } from '@trestle/usage/usage.service'
import { UsageMeter } from '@trestle/usage/usage-meter'
import { WORKLOAD_USAGE } from '../usage/workload-usage.js'
import { LiveWorkloads } from './live-workloads.engine.js'
import type { LiveWorkloadsRepository, WorkloadRow } from './live-workloads.repository.js'
import type { MachineClients } from './machine-clients.engine.js'

const ID = 'node-11111111-1111-4111-8111-111111111111'
const UNKNOWN = 'cluster-22222222-2222-4222-8222-222222222222'
const AWAY = Object.assign(new Error('the database system is starting up'), { code: '57P03' })

describe(LiveWorkloads, () => {
  it('reads a workload once, also when many ask at the same moment, and then knows it at once', async () => {
    const { workloads, reader } = setUp()
    const [one, other] = await Promise.all([workloads.get(ID), workloads.get(ID)])
    expect(one).toBe(other)
    expect(workloads.get(ID)).toBe(one)
    expect(reader.asked).toEqual([[ID]])
  })

  it('believes for a second that an id leads nowhere, unless a change of it is told', async () => {
    const { workloads, reader, clock } = setUp()
    expect(await workloads.get(UNKNOWN)).toBeUndefined()
    expect(workloads.get(UNKNOWN)).toBeUndefined()
    reader.rows.set(UNKNOWN, row(UNKNOWN))
    workloads.forget(UNKNOWN, [UNKNOWN])
    expect(await workloads.get(UNKNOWN)).toBeDefined()
    reader.rows.delete(UNKNOWN)
    workloads.forget(UNKNOWN, [UNKNOWN])
    expect(await workloads.get(UNKNOWN)).toBeUndefined()
    clock.advance(1_001)
    reader.rows.set(UNKNOWN, row(UNKNOWN))
    expect(await workloads.get(UNKNOWN)).toBeDefined()
  })

  it.each([
    '',
    'alias-of-a-cluster',
    ID.toUpperCase(),
    ID.slice(0, -1),
    `${ID}0`,
    'machine-11111111-1111-4111-8111-111111111111',
    '../'.repeat(10),
    '__proto__',
  ])('does not look up %j, which is not an id', (id) => {
    const { workloads, reader } = setUp()
    expect(workloads.get(id)).toBeUndefined()
    expect(reader.asked).toEqual([])
  })

  it('does not serve what was read before an announced change', async () => {
    const { workloads, reader } = setUp()
    await workloads.get(ID)
    const release = reader.hold()
    const reading = workloads.readAgain()
    workloads.forget(ID, [ID])
    release()
    await reading
    reader.rows.set(ID, row(ID, 'stopped'))
    expect(await workloads.get(ID)).toMatchObject({ desiredState: 'stopped' })
  })

  it('finds unannounced changes when it refreshes', async () => {
    const { workloads, reader } = setUp()
    await workloads.get(ID)
    reader.rows.delete(ID)
    await workloads.readAgain()
    expect(workloads.get(ID)).toBeUndefined()
  })

  it('serves known projects for an hour while Postgres is away, but none that was announced as changed', async () => {
    const { workloads, reader, clock } = setUp()
    const known = await workloads.get(ID)
    reader.failure = AWAY
    await expect(workloads.readAgain()).rejects.toBe(AWAY)
    clock.advance(3_599_000)
    expect(workloads.get(ID)).toBe(known)
    await expect(workloads.get(UNKNOWN)).rejects.toMatchObject({ status: 503, code: 'DatabaseUnavailable' })
    clock.advance(1_000)
    await expect(workloads.get(ID)).rejects.toMatchObject({ status: 503 })
  })

  it('does not serve what was told to have changed while Postgres is away', async () => {
    const { workloads, reader } = setUp()
    await workloads.get(ID)
    reader.failure = AWAY
    workloads.forget(ID, [ID])
    await expect(workloads.get(ID)).rejects.toMatchObject({ status: 503 })
  })

  it('keeps none that nobody asked for in ten minutes', async () => {
    const { workloads, reader, clock } = setUp()
    await workloads.get(ID)
    clock.advance(600_001)
    await workloads.readAgain()
    expect(reader.asked).toEqual([[ID]])
  })
})

function setUp() {
  const reader = new FakeRepository()
  const clock = new ManualClock()
  reader.rows.set(ID, row(ID))
  const usage = { meterOf: () => new UsageMeter(WORKLOAD_USAGE.table.none, () => {}) } as unknown as UsageService<string>
  const workloads = new LiveWorkloads(reader as unknown as LiveWorkloadsRepository, {} as MachineClients, usage, clock)
  return { reader, clock, workloads }
}

class FakeRepository {
  readonly rows = new Map<string, WorkloadRow>()
  readonly asked: (readonly string[])[] = []
  failure: Error | undefined
  private held: Promise<void> | undefined

  /** The next answers are those of now, and come when they are released. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held = promise
    return () => {
      this.held = undefined
      resolve()
    }
  }

  async listByIds(ids: readonly string[]): Promise<WorkloadRow[]> {
    this.asked.push([...ids])
    if (this.failure) throw this.failure
    const answer = ids.flatMap((id) => this.rows.get(id) ?? [])
    await this.held
    return answer
  }
}

function row(id: string, desiredState: WorkloadRow['desiredState'] = 'started'): WorkloadRow {
  const owned = { id, kind: 'node', organizationId: 'org-1', userId: 'user-1', desiredState, authType: 'none' } as const
  return { ...owned, chain: 'eth', network: 'dev', daemon: 'anvil', digest: '', allowedIps: [], machines: [] }
}
