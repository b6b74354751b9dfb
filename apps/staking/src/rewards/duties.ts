import type { AttestationReward } from '../chains/beacon-responses.js'

/** What a validator had to do in an epoch, as far as a node told of it, and how much of that it did not do. */
export interface Duties {
  readonly attestations: number
  readonly missedAttestations: number
  /** Blocks that were made while it was in the sync committee. */
  readonly syncDuties: number
  readonly missedSyncDuties: number
}

export const NO_DUTIES: Duties = { attestations: 0, missedAttestations: 0, syncDuties: 0, missedSyncDuties: 0 }

/**
 * Whether no attestation of it was seen in time (consensus-specs, Altair, get_flag_index_deltas: what is not there is penalized for its
 * source and its target). One that comes late loses the source and keeps the target; a wrong head costs nothing.
 */
export function isMissed({ sourceGwei, targetGwei }: Pick<AttestationReward, 'sourceGwei' | 'targetGwei'>): boolean {
  return sourceGwei < 0n && targetGwei < 0n
}
