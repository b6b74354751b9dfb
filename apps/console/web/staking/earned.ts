import type { ValidatorDay } from '@trestle/contracts/staking/performance'
import { sumOf } from '../parts/amount.js'

/** In wei. */
interface EarnedAmounts {
  readonly consensus: bigint
  readonly execution: bigint
  readonly penalties: bigint
}

/** What some days came to; of days before it was on the chain there are none. */
export function sumEarned(days: readonly ValidatorDay[]): EarnedAmounts {
  return {
    consensus: sumOf(days.map(({ consensusRewards }) => consensusRewards)),
    execution: sumOf(days.map(({ executionRewards }) => executionRewards)),
    penalties: sumOf(days.flatMap(({ consensusPenalties, executionPenalties }) => [consensusPenalties, executionPenalties])),
  }
}

/** Total earnings at the end of each period. */
export function runningNet(periods: readonly EarnedAmounts[]): bigint[] {
  let net = 0n
  return periods.map(({ consensus, execution, penalties }) => {
    net += consensus + execution - penalties
    return net
  })
}

/** How much of what could be earned by duties was: percent; undefined where nothing could be. */
export function effectivenessOf(mine: { consensusApr: number }, chain: { consensusApr: number }): number | undefined {
  return chain.consensusApr > 0 ? (mine.consensusApr / chain.consensusApr) * 100 : undefined
}
