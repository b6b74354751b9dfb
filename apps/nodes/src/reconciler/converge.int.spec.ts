import { LeaseLost } from '@trestle/database/lease'
import fc from 'fast-check'
import type { Fate } from '../../test/fake-driver.js'
import { LARGE, ReconcilerStage, STANDARD } from '../../test/reconciler-stage.js'
import type { Holding } from '../holdings/holding.js'

// Random wishes, failures, accidents and crashes, in any order. Whatever happened: once nothing happens any more, there is what is wanted, and nothing else.
// RUNS=500 for the long form.

const RUNS = Number(process.env.RUNS ?? 40)
const HOUR_MS = 3_600_000

/** What ought to be, by id. */
interface Expected {
  holding: Holding
  wanted: 'started' | 'stopped' | 'removed'
  capacity: number
  service: string
  expiresAt: number
}

let stage: ReconcilerStage
beforeAll(async () => {
  stage = await ReconcilerStage.open()
})
afterAll(() => stage.close())
beforeEach(async () => {
  stage.fate = () => undefined
  stage.world.machines.clear()
  await stage.pool.query('TRUNCATE holding, machine')
  await stage.restart()
})

const which = fc.nat(9)
const hold = fc.record({ do: fc.constant('hold' as const), capacity: fc.integer({ min: 1, max: 4 }) })
const action = fc.oneof(
  hold,
  fc.record({ do: fc.constantFrom('stop', 'start', 'remove', 'change', 'abort', 'accident', 'vanish'), which }),
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

it('always comes to what is wanted, and leaves nothing', async () => {
  const property = fc.asyncProperty(hold, fc.array(action, { minLength: 5, maxLength: 40 }), async (first, actions) => {
    stage.world.machines.clear()
    await stage.pool.query('TRUNCATE holding, machine')
    const expected: Expected[] = []
    for (const each of [first, ...actions]) await perform(each, expected)
    await settle()
    await check(expected)
  })
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
}, 300_000)

it('writes nothing under a lease that somebody else has taken', async () => {
  await stage.hold('node', 1)
  const [due] = await stage.repository.due(stage.date(), { limit: 1, except: [] })
  const { lease } = stage
  await stage.restart()
  await expect(
    stage.repository.save(lease, [{ holding: due!.holding, machines: [], lookAt: stage.date(), attempts: 9 }], stage.date()),
  ).rejects.toThrow(LeaseLost)
  expect((await stage.pool.query('SELECT attempts FROM holding')).rows).toEqual([{ attempts: 0 }])
})

async function perform(each: Action, expected: Expected[]): Promise<void> {
  const now = stage.date()
  if (each.do === 'hold') {
    if (expected.length > 3) return
    const holding = await stage.hold(each.capacity === 1 ? 'node' : 'cluster', each.capacity)
    expected.push({ holding, wanted: 'started', capacity: each.capacity, service: STANDARD.serviceId, expiresAt: now.getTime() + HOUR_MS })
    return
  }
  if (each.do === 'wait') return stage.advance(each.ms)
  if (each.do === 'pass') return pass(each.fates)
  const target = expected[each.which % expected.length]
  if (!target || target.wanted === 'removed') return
  await wish(each, target)
}

async function wish(each: Exclude<Action, { do: 'hold' | 'wait' | 'pass' }>, target: Expected): Promise<void> {
  const { holding } = target
  const { holdings, world } = stage
  const now = stage.date()
  const mine = [...world.machines.keys()].filter((id) => id === holding.id)
  switch (each.do) {
    case 'stop':
      await holdings.stop(holding, now)
      target.wanted = 'stopped'
      return
    case 'start':
      if (await holdings.start(holding, now)) target.wanted = 'started'
      return
    case 'remove':
      await holdings.remove(holding, now)
      target.wanted = 'removed'
      return
    case 'change':
      if (holding.kind === 'cluster' && (await holdings.changeTo(holding, now, LARGE))) target.service = LARGE.serviceId
      return
    case 'abort':
      if (await holdings.changeBack(holding, now)) target.service = await presentService(holding.id)
      return
    case 'resize':
      if (holding.kind !== 'cluster') return
      await holdings.saveSettings(holding, now, { capacity: (each as { capacity: number }).capacity })
      target.capacity = (each as { capacity: number }).capacity
      return
    case 'accident':
      for (const id of mine) world.machines.get(id)!.running = false
      return
    case 'vanish':
      for (const id of mine) world.machines.delete(id)
  }
}

async function presentService(id: string): Promise<string> {
  const { rows } = await stage.pool.query("SELECT blueprint->>'serviceId' AS service FROM holding WHERE id = $1", [id])
  return rows[0].service
}

async function pass(fates: readonly Fate[]): Promise<void> {
  const left = [...fates]
  stage.fate = () => left.shift()
  if (!(await stage.pass())) await stage.restart()
  stage.fate = () => undefined
}

/** Until a look changes nothing any more. */
async function settle(): Promise<void> {
  for (let i = 0; i < 60; i++) {
    stage.advance(31_000)
    const before = snapshot(await rows())
    expect(await stage.pass()).toBe(true)
    if (i > 20 && snapshot(await rows()) === before) return
  }
  throw new Error(`It does not come to rest: ${snapshot(await rows())}`)
}

async function check(expected: readonly Expected[]): Promise<void> {
  const machines = await rows()
  const now = stage.date().getTime()
  for (const { holding, wanted, capacity, service, expiresAt } of expected) {
    const own = machines.filter(({ holding_id }) => holding_id === holding.id)
    const isRunning = wanted === 'started' && now < expiresAt
    const told = own.map(({ id, service: made, phase }) => ({ made, phase, running: stage.world.machines.get(id)?.running }))
    if (wanted === 'removed') expect(told).toEqual([])
    else if (isRunning) expect(told).toEqual(Array(capacity).fill({ made: service, phase: 'ready', running: true }))
    else expect(told.filter(({ running, phase }) => running || phase !== 'stopped')).toEqual([])
    if (holding.kind === 'node' && wanted !== 'removed') expect(own.every(({ id }) => id === holding.id)).toBe(true)
  }
  expect([...stage.world.machines.keys()].sort()).toEqual(
    machines
      .filter(({ id }) => stage.world.machines.has(id))
      .map(({ id }) => id)
      .sort(),
  )
  const { rows: left } = await stage.pool.query("SELECT id FROM holding WHERE wanted = 'removed' AND gone_at IS NULL")
  expect(left).toEqual([])
}

interface Row {
  id: string
  holding_id: string
  service: string
  phase: string
  wanted: string
}

async function rows(): Promise<Row[]> {
  const text = "SELECT id, holding_id, blueprint->>'serviceId' AS service, phase, wanted FROM machine ORDER BY id"
  return (await stage.pool.query<Row>(text)).rows
}

function snapshot(machines: readonly Row[]): string {
  return JSON.stringify([machines, [...stage.world.machines].sort()])
}
