import { LeaseLost } from '@trestle/database/lease'
import fc from 'fast-check'
import { Ec2Backend } from '../../test/backends/ec2-backend.js'
import { FakeBackend } from '../../test/backends/fake-backend.js'
import { KubernetesBackend } from '../../test/backends/kubernetes-backend.js'
import { LocalBackend } from '../../test/backends/local-backend.js'
import type { TestBackend } from '../../test/backends/test-backend.js'
import type { Fate } from '../../test/fake-driver.js'
import { ReconcilerStage } from '../../test/reconciler-stage.js'
import type { Workload } from '../workloads/workload.js'

// Random changes, failures, crashes of machines and of the service, in any order, with every driver. Whatever happened: no machine ever exists twice, and
// once nothing happens any more, everything is in its desired state and nothing else exists. RUNS=500 for the long form.

const HOUR_MS = 3_600_000

/** The expected state of a workload. */
interface Expected {
  workload: Workload
  desiredState: 'started' | 'stopped' | 'removed'
  capacity: number
  service: string
  expiresAt: number
  /** Of a removed one: when it leaves the bin. */
  purgeAt: number
}

let stage: ReconcilerStage

const which = fc.nat(9)
const creation = fc.record({ do: fc.constant('create' as const), capacity: fc.integer({ min: 1, max: 4 }) })
const action = fc.oneof(
  creation,
  fc.record({ do: fc.constantFrom('stop', 'start', 'remove', 'restore', 'purge', 'change', 'abort', 'crash', 'vanish'), which }),
  fc.record({ do: fc.constant('resize' as const), which, capacity: fc.integer({ min: 2, max: 5 }) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 300, 2_500, 31_000, HOUR_MS) }),
  // A pass, in which the driver meets these fates in turn.
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      fates: fc.array(fc.constantFrom<Fate>(undefined, undefined, undefined, 'fails', 'breaks'), { maxLength: 12 }),
    }),
  },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

describe.each<[string, number, () => TestBackend | Promise<TestBackend>]>([
  ['that remembers machines', 40, () => new FakeBackend()],
  ['of EC2', 8, () => new Ec2Backend()],
  ['of Kubernetes', 2, () => KubernetesBackend.open()],
  ['of this machine', 2, () => new LocalBackend()],
])('a reconciler over a driver %s', (_, runs, world) => {
  beforeAll(async () => {
    stage = await ReconcilerStage.open(await world())
  })
  afterAll(() => stage.close())

  it('always reaches the desired state, and leaves nothing over', async () => {
    const property = fc.asyncProperty(creation, fc.array(action, { minLength: 5, maxLength: 40 }), async (first, actions) => {
      await begin()
      const expected: Expected[] = []
      for (const each of [first, ...actions]) await perform(each, expected)
      await settle()
      await check(expected)
    })
    await fc.assert(property, { numRuns: Number(process.env.RUNS ?? runs), endOnFailure: true })
  }, 3_600_000)

  it('writes nothing under a lease that another process has taken', async () => {
    await begin()
    await stage.create('node', 1)
    const [due] = await stage.repository.due(stage.date(), { limit: 1, except: [] })
    const { lease } = stage
    await stage.restart()
    const result = { workload: due!.workload, machines: [], reconcileAt: stage.date(), attempts: 9 }
    await expect(stage.repository.save(lease, [result], stage.date())).rejects.toThrow(LeaseLost)
    expect((await stage.pool.query('SELECT attempts FROM workload')).rows).toEqual([{ attempts: 0 }])
  })
})

async function begin(): Promise<void> {
  stage.fate = () => undefined
  await stage.world.clear()
  await stage.restart()
  await stage.pool.query('TRUNCATE workload, workload_machine')
}

async function perform(each: Action, expected: Expected[]): Promise<void> {
  const now = stage.date()
  if (each.do === 'create') {
    if (expected.length > 3) return
    const workload = await stage.create(each.capacity === 1 ? 'node' : 'cluster', each.capacity)
    expected.push({
      workload,
      desiredState: 'started',
      capacity: each.capacity,
      service: stage.world.standard.serviceId,
      expiresAt: now.getTime() + HOUR_MS,
      purgeAt: 0,
    })
    return
  }
  if (each.do === 'wait') return stage.advance(each.ms)
  if (each.do === 'pass') return pass(each.fates)
  const target = expected[each.which % expected.length]
  if (!target || (target.desiredState === 'removed' && each.do !== 'restore' && each.do !== 'purge')) return
  await change(each, target)
}

async function change(each: Exclude<Action, { do: 'create' | 'wait' | 'pass' }>, target: Expected): Promise<void> {
  const { workload } = target
  const { workloads, world } = stage
  const now = stage.date()
  const own = (await rows()).filter(({ workload_id }) => workload_id === workload.id)
  const one = own[each.which % own.length]
  switch (each.do) {
    case 'stop':
      await workloads.stop(workload, now)
      target.desiredState = 'stopped'
      return
    case 'start':
      if (await workloads.start(workload, now)) target.desiredState = 'started'
      return
    case 'remove':
      await workloads.remove(workload, now)
      Object.assign(target, { desiredState: 'removed', purgeAt: now.getTime() + HOUR_MS })
      return
    case 'restore':
      if (await workloads.restore(workload, workload, now, () => {}))
        target.desiredState = now.getTime() < target.expiresAt ? 'started' : 'stopped'
      return
    case 'purge':
      if (await workloads.purge(workload, now)) Object.assign(target, { desiredState: 'removed', purgeAt: 0 })
      return
    case 'change':
      if (workload.kind === 'cluster' && (await workloads.saveNextBlueprint(workload, now, stage.world.large)))
        target.service = stage.world.large.serviceId
      return
    case 'abort':
      if (await workloads.clearNextBlueprint(workload, now)) target.service = await presentService(workload.id)
      return
    case 'resize':
      if (workload.kind !== 'cluster') return
      await workloads.saveSettings(workload, now, { capacity: (each as { capacity: number }).capacity })
      target.capacity = (each as { capacity: number }).capacity
      return
    case 'crash':
      if (one) await world.crash(one.id)
      return
    case 'vanish':
      if (one) await world.vanish(one.id)
  }
}

async function presentService(id: string): Promise<string> {
  const { rows } = await stage.pool.query("SELECT blueprint->>'serviceId' AS service FROM workload WHERE id = $1", [id])
  return rows[0].service
}

async function pass(fates: readonly Fate[]): Promise<void> {
  const left = [...fates]
  stage.fate = () => left.shift()
  if (!(await stage.pass())) await stage.restart()
  stage.fate = () => undefined
  await programs()
}

/** Nowhere two of one. */
async function programs(): Promise<string[]> {
  const running = (await stage.world.programs()).sort()
  expect(running).toEqual([...new Set(running)])
  return running
}

/** Until several looks in a row change nothing: a change of service has its pauses. */
async function settle(): Promise<void> {
  let [before, quiet] = ['', 0]
  for (let i = 0; i < 200; i++) {
    stage.advance(31_000)
    expect(await stage.pass()).toBe(true)
    await stage.world.settle()
    const now = await snapshot()
    quiet = now === before ? quiet + 1 : 0
    if (i > 20 && quiet > 5) return
    before = now
  }
  throw new Error(`It does not come to rest: ${before}`)
}

async function check(expected: readonly Expected[]): Promise<void> {
  const machines = await rows()
  const running = await programs()
  const now = stage.date().getTime()
  for (const { workload, desiredState, capacity, service, expiresAt, purgeAt } of expected) {
    const own = machines.filter(({ workload_id }) => workload_id === workload.id)
    const isRunning = desiredState === 'started' && now < expiresAt
    const actual = own.map(({ id, service: made, phase }) => ({ made, phase, running: running.includes(id) }))
    if (desiredState === 'removed' && now >= purgeAt) expect(actual).toEqual([])
    else if (isRunning) expect(actual).toEqual(Array(capacity).fill({ made: service, phase: 'ready', running: true }))
    else expect(actual.filter(({ running, phase }) => running || phase !== 'stopped')).toEqual([])
    if (workload.kind === 'node') expect(own.every(({ id }) => id === workload.id)).toBe(true)
  }
  const known = machines.map(({ id }) => id)
  expect([...running, ...(await stage.world.remaining())].filter((id) => !known.includes(id))).toEqual([])
  const left = "SELECT id FROM workload WHERE desired_state = 'removed' AND purge_at <= $1 AND gone_at IS NULL"
  expect((await stage.pool.query(left, [stage.date()])).rows).toEqual([])
}

interface Row {
  id: string
  workload_id: string
  service: string
  phase: string
  desired_state: string
}

async function rows(): Promise<Row[]> {
  const text =
    "SELECT id, workload_id, blueprint->>'serviceId' AS service, phase, desired_state, draining_since FROM workload_machine ORDER BY id"
  return (await stage.pool.query<Row>(text)).rows
}

async function snapshot(): Promise<string> {
  return JSON.stringify([await rows(), await programs(), (await stage.world.remaining()).sort()])
}
