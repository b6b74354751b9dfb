import { GWEI_PER_ETH, MIN_ACTIVATION_BALANCE_GWEI, WEI_PER_GWEI } from '@trestle/ethereum/deposit'
import { aprPercent } from '@trestle/ethereum/rewards'

/** What a validator has earned in some days. Rounding counts as a gain or a loss of its day. */
export interface Earned {
  readonly consensusRewardsWei: bigint
  readonly consensusPenaltiesWei: bigint
  readonly executionRewardsWei: bigint
  readonly activeDays: number
  readonly stakeEthEpochs: bigint
  /** At the end of the last of these days on which it was on the chain. */
  readonly balanceWei: bigint
  readonly effectiveBalanceWei: bigint
  readonly slashed: boolean
}

export const NO_EARNINGS: Earned = {
  consensusRewardsWei: 0n,
  consensusPenaltiesWei: 0n,
  executionRewardsWei: 0n,
  activeDays: 0,
  stakeEthEpochs: 0n,
  balanceWei: 0n,
  effectiveBalanceWei: 0n,
  slashed: false,
}

export interface Rates {
  readonly apr: number
  readonly consensusApr: number
  readonly executionApr: number
}

/** Percent a year, without compounding, of the stake while the validator was active. */
export function ratesOf(earned: Omit<Earned, 'activeDays' | 'balanceWei' | 'effectiveBalanceWei' | 'slashed'>, epochMs: number): Rates {
  const stakeGweiSeconds = (earned.stakeEthEpochs * GWEI_PER_ETH * BigInt(epochMs)) / 1000n
  const percent = (wei: bigint) => Number(aprPercent(wei, stakeGweiSeconds * WEI_PER_GWEI))
  return ratesFrom(percent(earned.consensusRewardsWei - earned.consensusPenaltiesWei), percent(earned.executionRewardsWei))
}

/** The consensus rate of a perfect validator with average luck, and the execution rate of the validators here. */
export function chainRatesOf(
  { idealGwei, epochMs }: { idealGwei: bigint; epochMs: number },
  earned: { stakeEthEpochs: bigint; executionRewardsWei: bigint },
): Rates {
  const stakeGweiSeconds = (MIN_ACTIVATION_BALANCE_GWEI * BigInt(epochMs)) / 1000n
  // consensus-specs, Altair: attestations earn 54 of 64 parts, sync committees and blocks the rest.
  const consensus = Number(aprPercent(idealGwei * 64n, stakeGweiSeconds * 54n))
  return ratesFrom(consensus, ratesOf({ ...NO_EARNINGS, ...earned }, epochMs).executionApr)
}

function ratesFrom(consensusApr: number, executionApr: number): Rates {
  return { apr: Number((consensusApr + executionApr).toFixed(4)), consensusApr, executionApr }
}
