import { builtInCatalogue, findByImage } from '../catalogue/catalogue.js'
import type { Machine } from '../workloads/workload.js'
import { type Findings, judge } from './verdict.js'

const NOW = new Date('2026-11-22T12:00:00.000Z')
const observed = { running: true, matches: true, address: { host: '127.0.0.1', port: 1 } }
const seen = { height: 10, lag: 0, progress: 1, peers: 2, synced: true }
const machine = {
  id: 'node-1',
  blueprint: findByImage(builtInCatalogue('local'), 'ltc', 'standard'),
  desiredState: 'running',
  phase: 'pending',
  conditions: [],
  createdAt: NOW,
  sight: {},
} as unknown as Machine

const verdictOn = (findings: Partial<Findings>, more: Partial<Machine> = {}) =>
  judge({ ...machine, ...more }, { bestHeight: 0, ...findings }, NOW)
const conditionsOf = ({ conditions }: ReturnType<typeof judge>) =>
  Object.fromEntries(conditions.map(({ type, status, reason }) => [type, status === 'true' ? 'true' : reason]))

describe('what is thought of a machine', () => {
  it.each<[string, Partial<Findings>, Partial<Machine>]>([
    ['pending', {}, {}],
    ['starting', { observed }, {}],
    ['starting', { observed, seen: { ...seen, synced: false, warmingUp: 'Loading block index...' } }, {}],
    ['syncing', { observed, seen: { ...seen, synced: false, lag: 500, progress: 0.25 } }, {}],
    ['syncing', { observed, seen, bestHeight: 13 }, {}],
    ['ready', { observed, seen, bestHeight: 12 }, {}],
    ['degraded', { observed: { ...observed, storageFull: true }, seen }, {}],
    ['degraded', { observed, problem: 'It does not answer.' }, { phase: 'ready' }],
    ['degraded', { observed: { ...observed, storageFull: true }, seen }, { phase: 'ready' }],
    ['syncing', { observed, seen, bestHeight: 13 }, { phase: 'ready' }],
    ['starting', { observed: { ...observed, running: false, problem: 'It has ended.' } }, { phase: 'ready' }],
    ['failed', { observed: { ...observed, running: false, problem: 'No room.' } }, { createdAt: new Date(NOW.getTime() - 700_000) }],
    ['stopping', { observed }, { desiredState: 'resting' }],
    ['stopped', { observed: { ...observed, running: false } }, { desiredState: 'resting' }],
    ['removing', { observed }, { desiredState: 'gone' }],
  ])('is that it is %s', (phase, findings, more) => {
    expect(verdictOn(findings, more).phase).toBe(phase)
  })

  it('says of everything why it is not so yet', () => {
    expect(conditionsOf(verdictOn({}))).toEqual({
      Provisioned: 'NotYet',
      Reachable: 'NotRunning',
      Synced: 'NoAnswer',
      Healthy: 'NotRunning',
      StorageOk: 'NotYet',
    })
    const syncing = verdictOn({ observed, seen: { ...seen, synced: false, lag: 500, progress: 0.25 } })
    expect(conditionsOf(syncing)).toEqual({ Provisioned: 'true', Reachable: 'true', Synced: 'Syncing', Healthy: 'true', StorageOk: 'true' })
    expect(syncing.conditions.find(({ type }) => type === 'Synced')?.message).toBe('It has 25.0 % of the chain, and is 500 blocks behind.')
    expect(conditionsOf(verdictOn({ problem: 'The cluster is away.' }))).toMatchObject({ Provisioned: 'DriverUnavailable' })
  })

  it('keeps the time of the last change of a condition', () => {
    const before = verdictOn({ observed, seen })
    const later = new Date(NOW.getTime() + 60_000)
    const same = judge({ ...machine, conditions: before.conditions }, { observed, seen, bestHeight: 0 }, later)
    expect(same.conditions.map(({ since }) => since)).toEqual(before.conditions.map(({ since }) => since))
    const other = judge({ ...machine, conditions: before.conditions }, { observed, bestHeight: 0 }, later)
    expect(other.conditions.find(({ type }) => type === 'Reachable')?.since).toBe(later.toISOString())
  })

  it('tells the lag behind its neighbours where that is more', () => {
    expect(verdictOn({ observed, seen, bestHeight: 25 }).sight).toMatchObject({ height: 10, lag: 15 })
  })
})
