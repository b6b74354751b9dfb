import { NODE_PHASES } from '@trestle/contracts/nodes/shapes'
import { blockingCondition, progressSteps } from './workload.js'

const since = '2026-11-22T00:00:00.000Z'
const states = (phase: (typeof NODE_PHASES)[number], made = true) =>
  progressSteps(phase, [{ type: 'Provisioned', status: made ? 'true' : 'false' }]).map(({ state }) => state)

describe('The journey of a node', () => {
  it('has one step under way in every phase but those where it has arrived', () => {
    for (const phase of NODE_PHASES) {
      const busy = states(phase).filter((state) => state === 'now' || state === 'trouble')
      expect(busy).toHaveLength(phase === 'ready' || phase === 'stopped' ? 0 : 1)
    }
  })

  it('goes from making to ready', () => {
    expect(states('pending')).toEqual(['now', 'next', 'next', 'next'])
    expect(states('syncing')).toEqual(['done', 'done', 'now', 'next'])
    expect(states('ready')).toEqual(['done', 'done', 'done', 'done'])
    expect(states('stopped')).toEqual(['done', 'done'])
  })

  it('shows where a failed one came to a halt', () => {
    expect(states('failed', false)).toEqual(['trouble', 'next', 'next', 'next'])
    expect(states('failed')).toEqual(['done', 'trouble', 'next', 'next'])
  })
})

describe('The obstacle', () => {
  const condition = { reason: 'Any', since } as const

  it('is nothing where all is well', () => {
    expect(blockingCondition([{ ...condition, type: 'Reachable', status: 'true', message: '' }])).toBeUndefined()
  })

  it('is what is known to be wrong before what is not known', () => {
    const found = blockingCondition([
      { ...condition, type: 'Synced', status: 'unknown', message: 'Not said yet.' },
      { ...condition, type: 'Reachable', status: 'false', message: 'Its program does not run yet.' },
    ])
    expect(found?.type).toBe('Reachable')
  })
})
