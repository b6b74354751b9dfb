/** The status of a validator in the Beacon API (beacon-APIs, types/api.yaml, ValidatorStatus). */
export const BEACON_STATUSES = [
  'pending_initialized',
  'pending_queued',
  'active_ongoing',
  'active_exiting',
  'active_slashed',
  'exited_unslashed',
  'exited_slashed',
  'withdrawal_possible',
  'withdrawal_done',
] as const

export type BeaconStatus = (typeof BEACON_STATUSES)[number]
