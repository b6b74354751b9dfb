import { FAR_FUTURE_EPOCH } from '@lodestar/params'
import type { phase0 } from '@lodestar/types'
import { BEACON_STATUSES, type BeaconStatus } from '@trestle/ethereum/beacon-status'

const GROUPS = ['pending', 'active', 'exited', 'withdrawal'] as const

/** A validator's status in an epoch. */
export function beaconStatusOf(validator: phase0.Validator, balance: number, epoch: number): BeaconStatus {
  const { activationEligibilityEpoch, activationEpoch, exitEpoch, withdrawableEpoch, slashed } = validator
  if (epoch < activationEpoch) return activationEligibilityEpoch === FAR_FUTURE_EPOCH ? 'pending_initialized' : 'pending_queued'
  if (epoch < exitEpoch) return activeStatusOf(exitEpoch, slashed)
  if (epoch < withdrawableEpoch) return slashed ? 'exited_slashed' : 'exited_unslashed'
  return balance > 0 ? 'withdrawal_possible' : 'withdrawal_done'
}

/** Whether a filter includes the status or its group: `active` includes `active_ongoing`. */
export function matchesFilter(status: BeaconStatus, filter: readonly string[]): boolean {
  return filter.length === 0 || filter.some((each) => status === each || status.startsWith(`${each}_`))
}

export function isStatusFilter(name: string): boolean {
  return [...BEACON_STATUSES, ...GROUPS].some((each) => each === name)
}

function activeStatusOf(exitEpoch: number, slashed: boolean): BeaconStatus {
  if (slashed) return 'active_slashed'
  return exitEpoch === FAR_FUTURE_EPOCH ? 'active_ongoing' : 'active_exiting'
}
