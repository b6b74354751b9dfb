import fc from 'fast-check'
import { builtInCatalogue, findByImage } from '../catalogue/catalogue.js'
import type { Machine, Workload } from '../workloads/workload.js'
import { DRAIN_MS, planChanges } from './change-plan.js'

const catalogue = builtInCatalogue('local')
const [standard, large] = [findByImage(catalogue, 'ltc', 'standard')!, findByImage(catalogue, 'ltc', 'large')!]
const NOW = new Date('2026-11-22T12:00:00.000Z')

const machine = fc.record({
  id: fc.uuid(),
  blueprint: fc.constantFrom(standard, large),
  desiredState: fc.constantFrom<Machine['desiredState']>('running', 'resting', 'gone'),
  drainingSince: fc.option(fc.constantFrom(NOW, new Date(NOW.getTime() - DRAIN_MS)), { nil: undefined }),
  phase: fc.constantFrom<Machine['phase']>('ready', 'starting', 'degraded', 'failed'),
  createdAt: fc.date({ min: new Date(0), max: NOW, noInvalidDate: true }),
}) as fc.Arbitrary<Machine>

const workload = fc.record({
  blueprint: fc.constantFrom(standard, large),
  nextBlueprint: fc.constantFrom(undefined, standard, large),
  capacity: fc.integer({ min: 1, max: 10 }),
  desiredState: fc.constantFrom<Workload['desiredState']>('started', 'stopped', 'removed'),
}) as fc.Arbitrary<Workload>

const started = (capacity: number, more: Partial<Workload> = {}) =>
  ({ blueprint: standard, capacity, desiredState: 'started', ...more }) as Workload
const one = (id: string, more: Partial<Machine> = {}) =>
  ({ id, blueprint: standard, desiredState: 'running', phase: 'ready', createdAt: NOW, ...more }) as Machine

describe('the next step of a workload', () => {
  it('adds as many machines as its capacity, at once', () => {
    expect(planChanges(started(3), [one('a')], NOW)).toMatchObject({ add: [standard, standard], drain: [], finish: false })
  })

  it('drains surplus machines: first those that are not ready, then the newest', () => {
    const machines = [one('old', { createdAt: new Date(0) }), one('new'), one('ill', { phase: 'starting', createdAt: new Date(0) })]
    expect(planChanges(started(1), machines, NOW).drain).toEqual(['ill', 'new'])
  })

  it('lets a machine drain for half a minute before it is removed', () => {
    const draining = (ms: number) => one('a', { drainingSince: new Date(NOW.getTime() - ms) })
    expect(planChanges(started(1), [one('b'), draining(DRAIN_MS - 1)], NOW).transitions).toEqual([])
    expect(planChanges(started(1), [one('b'), draining(DRAIN_MS)], NOW).transitions).toEqual([{ id: 'a', desiredState: 'gone' }])
  })

  it('changes the service with one more machine, and drains an old one when all new ones are ready', () => {
    const cluster = started(2, { nextBlueprint: large })
    const [a, b] = [one('a'), one('b', { createdAt: new Date(0) })]
    expect(planChanges(cluster, [a, b], NOW)).toMatchObject({ add: [large], drain: [] })
    const made = one('c', { blueprint: large, phase: 'starting' })
    expect(planChanges(cluster, [a, b, made], NOW)).toMatchObject({ add: [], drain: [] })
    expect(planChanges(cluster, [a, b, { ...made, phase: 'ready' }], NOW)).toMatchObject({ add: [], drain: ['a'] })
    const both = [one('c', { blueprint: large }), one('d', { blueprint: large })]
    expect(planChanges(cluster, both, NOW)).toMatchObject({ add: [], drain: [], finish: true })
  })

  it('never drains a ready machine if that leaves fewer than its capacity', () => {
    fc.assert(
      fc.property(workload, fc.array(machine, { maxLength: 12 }), (held, machines) => {
        fc.pre(held.desiredState === 'started')
        const serving = machines.filter(
          ({ desiredState, drainingSince, phase }) => desiredState !== 'gone' && !drainingSince && phase === 'ready',
        )
        const { drain } = planChanges(held, machines, NOW)
        const left = serving.filter(({ id }) => !drain.includes(id)).length
        expect(left).toBeGreaterThanOrEqual(Math.min(serving.length, held.capacity))
      }),
    )
  })

  it('has at most one machine more than its capacity', () => {
    fc.assert(
      fc.property(workload, fc.array(machine, { maxLength: 12 }), (held, machines) => {
        const there = machines.filter(({ desiredState, drainingSince }) => desiredState !== 'gone' && !drainingSince).length
        const { add } = planChanges(held, machines, NOW)
        expect(there + add.length).toBeLessThanOrEqual(Math.max(there, held.capacity + 1))
      }),
    )
  })

  it('adds no machine to a stopped or removed workload', () => {
    fc.assert(
      fc.property(workload, fc.array(machine, { maxLength: 12 }), (held, machines) => {
        fc.pre(held.desiredState !== 'started')
        const { add, drain, transitions: wish } = planChanges(held, machines, NOW)
        expect([add, drain]).toEqual([[], []])
        const after = machines.map(({ id, desiredState }) => wish.find((each) => each.id === id)?.desiredState ?? desiredState)
        const allowed = held.desiredState === 'stopped' ? ['resting', 'gone'] : ['gone']
        expect(after.filter((desiredState) => !allowed.includes(desiredState))).toEqual([])
      }),
    )
  })
})
