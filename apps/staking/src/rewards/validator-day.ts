import type { ValidatorDay as ValidatorDayReply } from '@trestle/contracts/staking/performance'
import { weiOf } from '../validators/validator.js'
import type { Day } from './days.js'

const WEI_PER_ETH = 10n ** 18n

interface Counted {
  readonly due: number
  readonly missed: number
}

/** A day of a validator in the ledger, with its duties; what no node reported is undefined. */
export interface LedgerDay {
  readonly day: Day
  readonly isSealed: boolean
  readonly balanceGwei: bigint
  readonly effectiveEth: number
  readonly withdrawalsGwei: bigint
  readonly depositsGwei: bigint
  readonly rewardsGwei: bigint
  readonly penaltiesGwei: bigint
  readonly roundingGwei: bigint
  readonly unexplainedGwei: bigint
  readonly executionRewardsWei: bigint
  readonly activeEpochs: number
  readonly attestations: Counted | undefined
  readonly syncDuties: Counted | undefined
  readonly proposals: Counted | undefined
}

export function describeDay(day: LedgerDay): ValidatorDayReply {
  const { roundingGwei, activeEpochs } = day
  // In its first epoch it had nothing to attest yet.
  const isKnown = day.attestations !== undefined && (day.attestations.due > 0 || activeEpochs <= 1)
  const [attestations, syncDuties] = isKnown ? [day.attestations, day.syncDuties] : []
  return {
    date: day.day,
    final: day.isSealed,
    balance: weiOf(day.balanceGwei),
    effectiveBalance: String(BigInt(day.effectiveEth) * WEI_PER_ETH),
    deposits: weiOf(day.depositsGwei),
    withdrawals: weiOf(day.withdrawalsGwei),
    // Rounding counts as a gain or a loss of the day, as in performance.
    consensusRewards: weiOf(day.rewardsGwei + (roundingGwei > 0n ? roundingGwei : 0n)),
    consensusPenalties: weiOf(day.penaltiesGwei - (roundingGwei < 0n ? roundingGwei : 0n)),
    unexplained: weiOf(day.unexplainedGwei),
    executionRewards: String(day.executionRewardsWei),
    executionPenalties: '0',
    activeEpochs,
    attestations: attestations?.due ?? null,
    missedAttestations: attestations?.missed ?? null,
    syncDuties: syncDuties?.due ?? null,
    missedSyncDuties: syncDuties?.missed ?? null,
    proposals: day.proposals?.due ?? null,
    missedProposals: day.proposals?.missed ?? null,
  }
}
