import type { ValidatorDay } from '@trestle/contracts/staking/performance'
import { partial } from '../testing/partial.js'
import { countDuties, dutyState } from './duties.js'

describe(countDuties, () => {
  it('adds up what is known', () => {
    const days = [
      day({ attestations: 225, missedAttestations: 2 }),
      day({ attestations: null, missedAttestations: null }),
      day({ attestations: 100, missedAttestations: 1 }),
    ]
    expect(countDuties(days, 'attestations')).toEqual({ due: 325, missed: 3 })
  })

  it('is not known where no day is', () => {
    expect(countDuties([day({ proposals: null, missedProposals: null })], 'proposals')).toBeUndefined()
  })

  it('is nothing before it was on the chain', () => {
    expect(countDuties([], 'syncDuties')).toEqual({ due: 0, missed: 0 })
  })
})

describe(dutyState, () => {
  it.each([
    [undefined, 'unknown'],
    [{ due: 0, missed: 0 }, 'none'],
    [{ due: 225, missed: 0 }, 'good'],
    [{ due: 225, missed: 1 }, 'some'],
    [{ due: 225, missed: 12 }, 'bad'],
    [{ due: 1, missed: 1 }, 'bad'],
  ])('of %j is %s', (counted, state) => {
    expect(dutyState(counted)).toBe(state)
  })
})

function day(overrides: Partial<ValidatorDay>): ValidatorDay {
  return partial<ValidatorDay>({ attestations: 0, missedAttestations: 0, proposals: 0, missedProposals: 0, ...overrides })
}
