import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { FakeBackend, STANDARD } from '../../test/backends/fake-backend.js'
import { FakeDriver } from '../../test/fake-driver.js'
import { ReconcilerStage } from '../../test/reconciler-stage.js'
import { OrphanAlarmsService } from './orphan-alarms.service.js'
import { OrphansRepository } from './orphans.repository.js'
import { OrphansService } from './orphans.service.js'

const world = new FakeBackend()
let stage: ReconcilerStage
beforeAll(async () => {
  stage = await ReconcilerStage.open(world)
})
afterAll(() => stage.close())

describe('an orphaned machine', () => {
  it('is reported, kept for the grace period, and then removed; others are kept', async () => {
    const metrics = new Metrics()
    const driver = new FakeDriver(world.fake)
    const workload = await stage.create('node', 1)
    await stage.pass()
    const lost = { id: 'node-00000000-0000-4000-8000-000000000001', blueprint: STANDARD, running: true, password: 'p' }
    await driver.apply(lost)
    const alarms = new OrphanAlarmsService(metrics, createLogger('test', 'silent'))
    const repository = new OrphansRepository(stage.pool)
    const sweep = (ORPHAN_GRACE_MS: number) => new OrphansService(driver, repository, alarms, { ORPHAN_GRACE_MS }).sweep()
    await sweep(0)
    expect([...world.fake.machines.keys()].sort()).toEqual([lost.id, workload.id].sort())
    expect(await metrics.registry.getSingleMetricAsString('nodes_orphans')).toContain('nodes_orphans 1')
    await sweep(3_600_000)
    expect(world.fake.machines.has(lost.id)).toBe(true)
    await sweep(0)
    expect([...world.fake.machines.keys()]).toEqual([workload.id])
    await sweep(0)
    expect((await stage.pool.query('SELECT FROM orphan')).rowCount).toBe(0)
  })
})
