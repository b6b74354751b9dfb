import type { phase0 } from '@lodestar/types'
import { beaconStatusOf, isStatusFilter, matchesFilter } from './validator-status.js'

const NEVER = Number.POSITIVE_INFINITY

describe(beaconStatusOf, () => {
  it('is what the epochs of the validator say', () => {
    const life = { activationEligibilityEpoch: 2, activationEpoch: 4, exitEpoch: 6, withdrawableEpoch: 8 }
    const statuses = [3, 4, 5, 6, 7, 8].map((epoch) => beaconStatusOf(validator(life), 32e9, epoch))
    const exit = ['exited_unslashed', 'exited_unslashed', 'withdrawal_possible']
    expect(statuses).toEqual(['pending_queued', 'active_exiting', 'active_exiting', ...exit])
    expect(beaconStatusOf(validator(life), 0, 8)).toBe('withdrawal_done')
    const waiting = { activationEligibilityEpoch: NEVER, activationEpoch: NEVER, exitEpoch: NEVER, withdrawableEpoch: NEVER }
    expect(beaconStatusOf(validator(waiting), 32e9, 1)).toBe('pending_initialized')
    expect(beaconStatusOf(validator({ ...waiting, activationEligibilityEpoch: 0, activationEpoch: 0 }), 32e9, 1)).toBe('active_ongoing')
  })

  it('says who was slashed', () => {
    const life = { activationEligibilityEpoch: 0, activationEpoch: 0, exitEpoch: 6, withdrawableEpoch: 8, slashed: true }
    expect([5, 6, 8].map((epoch) => beaconStatusOf(validator(life), 1, epoch))).toEqual([
      'active_slashed',
      'exited_slashed',
      'withdrawal_possible',
    ])
  })
})

describe(matchesFilter, () => {
  it('takes a status for itself and for its group', () => {
    const filters = [[], ['active'], ['active_ongoing'], ['pending', 'active'], ['active_exiting'], ['exited']]
    expect(filters.map((filter) => matchesFilter('active_ongoing', filter))).toEqual([true, true, true, true, false, false])
    expect(['withdrawal', 'withdrawal_done', 'with', ''].map(isStatusFilter)).toEqual([true, true, false, false])
  })
})

function validator(life: Partial<phase0.Validator>): phase0.Validator {
  const keys = { pubkey: Buffer.alloc(48), withdrawalCredentials: Buffer.alloc(32) }
  return {
    ...keys,
    effectiveBalance: 32e9,
    slashed: false,
    activationEligibilityEpoch: 0,
    activationEpoch: 0,
    exitEpoch: 0,
    withdrawableEpoch: 0,
    ...life,
  }
}
