import { builtInCatalogue, findByImage } from '../catalogue/catalogue.js'
import type { Machine } from '../workloads/workload.js'
import { type MachineObservation, machineStatusOf } from './machine-status.js'

const NOW = new Date('2026-11-22T12:00:00.000Z')
const observed = { running: true, matches: true, address: { host: '127.0.0.1', port: 1 } }
const probed = { height: 10, lag: 0, progress: 1, peers: 2, synced: true }
const machine = {
  id: 'node-1',
  blueprint: findByImage(builtInCatalogue('local'), 'ltc', 'standard'),
  desiredState: 'running',
  phase: 'pending',
  conditions: [],
  createdAt: NOW,
  readings: {},
} as unknown as Machine

const statusOf = (observation: Partial<MachineObservation>, more: Partial<Machine> = {}) =>
  machineStatusOf({ ...machine, ...more }, { bestHeight: 0, ...observation }, NOW)
const conditionsOf = ({ conditions }: ReturnType<typeof machineStatusOf>) =>
  Object.fromEntries(conditions.map(({ type, status, reason }) => [type, status === 'true' ? 'true' : reason]))

describe('the status of a machine', () => {
  it.each<[string, Partial<MachineObservation>, Partial<Machine>]>([
    ['pending', {}, {}],
    ['starting', { observed }, {}],
    ['starting', { observed, probed: { ...probed, synced: false, warmingUp: 'Loading block index...' } }, {}],
    ['syncing', { observed, probed: { ...probed, synced: false, lag: 500, progress: 0.25 } }, {}],
    ['syncing', { observed, probed, bestHeight: 13 }, {}],
    ['ready', { observed, probed, bestHeight: 12 }, {}],
    ['degraded', { observed: { ...observed, storageFull: true }, probed }, {}],
    ['degraded', { observed, problem: 'It does not answer.' }, { phase: 'ready' }],
    ['degraded', { observed: { ...observed, storageFull: true }, probed }, { phase: 'ready' }],
    ['syncing', { observed, probed, bestHeight: 13 }, { phase: 'ready' }],
    ['starting', { observed: { ...observed, running: false, problem: 'It has ended.' } }, { phase: 'ready' }],
    ['failed', { observed: { ...observed, running: false, problem: 'No room.' } }, { createdAt: new Date(NOW.getTime() - 700_000) }],
    ['stopping', { observed }, { desiredState: 'resting' }],
    ['stopped', { observed: { ...observed, running: false } }, { desiredState: 'resting' }],
    ['removing', { observed }, { desiredState: 'gone' }],
  ])('is %s', (phase, observation, more) => {
    expect(statusOf(observation, more).phase).toBe(phase)
  })

  it('has a reason for each condition that is not met', () => {
    expect(conditionsOf(statusOf({}))).toEqual({
      Provisioned: 'NotYet',
      Reachable: 'NotRunning',
      Synced: 'NoAnswer',
      Healthy: 'NotRunning',
      StorageOk: 'NotYet',
    })
    const syncing = statusOf({ observed, probed: { ...probed, synced: false, lag: 500, progress: 0.25 } })
    expect(conditionsOf(syncing)).toEqual({ Provisioned: 'true', Reachable: 'true', Synced: 'Syncing', Healthy: 'true', StorageOk: 'true' })
    expect(syncing.conditions.find(({ type }) => type === 'Synced')?.message).toBe('It has 25.0 % of the chain, and is 500 blocks behind.')
    expect(conditionsOf(statusOf({ problem: 'The cluster is away.' }))).toMatchObject({ Provisioned: 'DriverUnavailable' })
  })

  it('keeps the time of the last change of a condition', () => {
    const before = statusOf({ observed, probed })
    const later = new Date(NOW.getTime() + 60_000)
    const same = machineStatusOf({ ...machine, conditions: before.conditions }, { observed, probed, bestHeight: 0 }, later)
    expect(same.conditions.map(({ since }) => since)).toEqual(before.conditions.map(({ since }) => since))
    const other = machineStatusOf({ ...machine, conditions: before.conditions }, { observed, bestHeight: 0 }, later)
    expect(other.conditions.find(({ type }) => type === 'Reachable')?.since).toBe(later.toISOString())
  })

  it('has the lag behind the other machines if that is greater', () => {
    expect(statusOf({ observed, probed, bestHeight: 25 }).readings).toMatchObject({ height: 10, lag: 15 })
  })
})
