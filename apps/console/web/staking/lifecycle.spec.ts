import { VALIDATOR_PHASES, type Validator } from '@trestle/contracts/staking/validators'
import { canExit, isAtStake, isChanging, stepsOf } from './lifecycle.js'

const AT = '2026-11-22T05:00:00.000Z'
const NEW = {
  phase: 'created',
  startedAt: AT,
  readyAt: null,
  depositedAt: null,
  activatedAt: null,
  exitRequestedAt: null,
  exitingAt: null,
  exitedAt: null,
  withdrawnAt: null,
} as const

describe(stepsOf, () => {
  it.each([
    ['created', 'ready', 1],
    ['ready', 'deposited', 2],
    ['deposited', 'queued', 3],
    ['queued', 'queued', 3],
    ['active', 'active', 4],
    ['exiting', 'exiting', 5],
    ['exited', 'exited', 6],
    ['withdrawn', undefined, 8],
  ] as const)('of one that is %s waits at %s, with %i steps done', (phase, now, done) => {
    const steps = stepsOf({ ...NEW, phase })
    expect(steps.find(({ state }) => state === 'now')?.name).toBe(now)
    expect(steps.filter(({ state }) => state === 'done')).toHaveLength(done)
  })

  it.each(VALIDATOR_PHASES)('has no step done after one that is not, when %s', (phase) => {
    const states = stepsOf({ ...NEW, phase }).map(({ state }) => state)
    expect(states.join()).toMatch(/^(done,)*(done|now(,ahead)*)$/)
  })

  it('takes an exit that was asked for as the beginning of the exit', () => {
    const steps = stepsOf({ ...NEW, phase: 'active', exitRequestedAt: AT })
    expect(steps.find(({ name }) => name === 'exiting')).toEqual({ name: 'exiting', state: 'ahead', at: AT })
  })
})

describe(canExit, () => {
  it('is so once, from the deposit to the exit', () => {
    expect(VALIDATOR_PHASES.filter((phase) => canExit({ phase, exitRequestedAt: null }))).toEqual(['deposited', 'queued', 'active'])
    expect(VALIDATOR_PHASES.filter((phase) => canExit({ phase, exitRequestedAt: AT }))).toEqual([])
  })
})

describe(isChanging, () => {
  it.each([
    ['active', 'active', false],
    ['active', 'exiting', true],
    ['queued', 'pending', true],
    ['withdrawn', 'withdrawn', false],
    ['spoiled', 'pending', false],
  ] satisfies [Validator['phase'], Validator['status'], boolean][])('of %s and %s: %s', (phase, status, expected) => {
    expect(isChanging({ phase, status })).toBe(expected)
  })
})

describe(isAtStake, () => {
  it('is so from the deposit to the last payment', () => {
    expect(isAtStake({ depositedAt: null, withdrawnAt: null })).toBe(false)
    expect(isAtStake({ depositedAt: AT, withdrawnAt: null })).toBe(true)
    expect(isAtStake({ depositedAt: AT, withdrawnAt: AT })).toBe(false)
  })
})
