import {
  EFFECTIVE_BALANCE_INCREMENT,
  INACTIVITY_PENALTY_QUOTIENT_BELLATRIX,
  PARTICIPATION_FLAG_WEIGHTS,
  WEIGHT_DENOMINATOR,
} from '@lodestar/params'
import {
  beforeProcessEpoch,
  type CachedBeaconStateAltair,
  type CachedBeaconStateElectra,
  FLAG_ELIGIBLE_ATTESTER,
  FLAG_PREV_HEAD_ATTESTER_UNSLASHED,
  FLAG_PREV_SOURCE_ATTESTER_UNSLASHED,
  FLAG_PREV_TARGET_ATTESTER_UNSLASHED,
  hasMarkers,
  isInInactivityLeak,
} from '@lodestar/state-transition'
import { processInactivityUpdates, processJustificationAndFinalization } from '@lodestar/state-transition/epoch'

export interface AttestationDelta {
  readonly source: number
  readonly target: number
  readonly head: number
  readonly inactivity: number
}

export interface EpochRewards {
  /** What perfect attestations would have earned, by effective balance in gwei. */
  readonly ideal: ReadonlyMap<number, AttestationDelta>
  /** By validator index, for validators that had to attest. */
  readonly total: ReadonlyMap<number, AttestationDelta>
}

/**
 * What the transition at the end of this state's epoch pays for the votes of the epoch before, to the gwei: the specification rounds
 * down (get_flag_index_deltas) after updating the inactivity scores. Lodestar's own function rounds to the nearest, and uses the
 * former scores and the quotient of Altair.
 */
export function attestationRewards(lastOfEpoch: CachedBeaconStateElectra): EpochRewards {
  const state = lastOfEpoch.clone(true)
  const epoch = beforeProcessEpoch(state)
  processJustificationAndFinalization(state, epoch)
  processInactivityUpdates(state as unknown as CachedBeaconStateAltair, epoch)
  const { sourceStakeByIncrement, targetStakeByIncrement, headStakeByIncrement } = epoch.prevEpochUnslashedStake
  const stakes = [sourceStakeByIncrement, targetStakeByIncrement, headStakeByIncrement]
  const isLeak = isInInactivityLeak(state)
  const ideal = new Map<number, AttestationDelta>()
  const total = new Map<number, AttestationDelta>()
  const idealOf = (increments: number): AttestationDelta => {
    const base = increments * epoch.baseRewardPerIncrement
    const [source = 0, target = 0, head = 0] = stakes.map((stake, flag) =>
      isLeak ? 0 : Math.floor((base * weightOf(flag) * stake) / (epoch.totalActiveStakeByIncrement * WEIGHT_DENOMINATOR)),
    )
    return { source, target, head, inactivity: 0 }
  }
  epoch.flags.forEach((flags, index) => {
    if (!hasMarkers(flags, FLAG_ELIGIBLE_ATTESTER)) return
    const increments = state.epochCtx.effectiveBalanceIncrements[index] ?? 0
    const best = ideal.get(increments * EFFECTIVE_BALANCE_INCREMENT) ?? idealOf(increments)
    ideal.set(increments * EFFECTIVE_BALANCE_INCREMENT, best)
    const penalty = (flag: number) => -Math.floor((increments * epoch.baseRewardPerIncrement * weightOf(flag)) / WEIGHT_DENOMINATOR)
    const isTarget = hasMarkers(flags, FLAG_PREV_TARGET_ATTESTER_UNSLASHED)
    total.set(index, {
      source: hasMarkers(flags, FLAG_PREV_SOURCE_ATTESTER_UNSLASHED) ? best.source : penalty(0),
      target: isTarget ? best.target : penalty(1),
      // A head that was missed costs nothing.
      head: hasMarkers(flags, FLAG_PREV_HEAD_ATTESTER_UNSLASHED) ? best.head : 0,
      inactivity: isTarget ? 0 : -inactivityPenalty(increments, state.inactivityScores.get(index), state.config.INACTIVITY_SCORE_BIAS),
    })
  })
  return { ideal, total }
}

/** get_inactivity_penalty_deltas of Bellatrix. */
function inactivityPenalty(increments: number, score: number, bias: number): number {
  return Math.floor((increments * EFFECTIVE_BALANCE_INCREMENT * score) / (bias * INACTIVITY_PENALTY_QUOTIENT_BELLATRIX))
}

function weightOf(flag: number): number {
  return PARTICIPATION_FLAG_WEIGHTS[flag] ?? 0
}
