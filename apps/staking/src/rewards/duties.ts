import type { AttestationReward } from '../chains/beacon-responses.js'

/** A validator's duties in an epoch, as far as a node reports them, and how many it missed. */
export interface Duties {
  readonly attestations: number
  readonly missedAttestations: number
  /** Blocks that were proposed while it was in the sync committee. */
  readonly syncDuties: number
  readonly missedSyncDuties: number
}

export const NO_DUTIES: Duties = { attestations: 0, missedAttestations: 0, syncDuties: 0, missedSyncDuties: 0 }

/**
 * Whether no attestation was included in time: a missing one is penalized for its source and its target (consensus-specs, Altair,
 * get_flag_index_deltas). A late one loses the source and keeps the target; a wrong head costs nothing.
 */
export function isMissed({ sourceGwei, targetGwei }: Pick<AttestationReward, 'sourceGwei' | 'targetGwei'>): boolean {
  return sourceGwei < 0n && targetGwei < 0n
}
