import { GWEI_PER_ETH } from './deposit.js'
import type { CredentialsKind } from './withdrawal-credentials.js'

// The arithmetic of the consensus specification, in whole gwei, rounded down.

const BASE_REWARD_FACTOR = 64n
const EFFECTIVE_BALANCE_INCREMENT_GWEI = GWEI_PER_ETH
// EIP-7251.
const MAX_EFFECTIVE_BALANCE_GWEI: Record<CredentialsKind, bigint> = { execution: 32n * GWEI_PER_ETH, compounding: 2048n * GWEI_PER_ETH }
const SECONDS_PER_YEAR = 31_557_600n
const APR_PLACES = 4
const SECONDS_PER_EPOCH = 384

/** What one increment (1 ETH) of effective balance earns in an epoch if every validator does every duty. */
export function baseRewardPerIncrementGwei(totalActiveBalanceGwei: bigint): bigint {
  if (totalActiveBalanceGwei <= 0n) throw new RangeError('The total active balance must be positive.')
  return (EFFECTIVE_BALANCE_INCREMENT_GWEI * BASE_REWARD_FACTOR) / integerSquareRoot(totalActiveBalanceGwei)
}

export function baseRewardGwei(effectiveBalanceGwei: bigint, totalActiveBalanceGwei: bigint): bigint {
  return (effectiveBalanceGwei / EFFECTIVE_BALANCE_INCREMENT_GWEI) * baseRewardPerIncrementGwei(totalActiveBalanceGwei)
}

/** The effective balance after an epoch: it follows the balance in steps of 1 ETH, with hysteresis: 0.25 ETH downwards, 1.25 ETH upwards. */
export function nextEffectiveBalanceGwei(balanceGwei: bigint, effectiveBalanceGwei: bigint, kind: CredentialsKind): bigint {
  const hysteresis = EFFECTIVE_BALANCE_INCREMENT_GWEI / 4n
  const isSteady = balanceGwei + hysteresis >= effectiveBalanceGwei && effectiveBalanceGwei + 5n * hysteresis >= balanceGwei
  if (isSteady) return effectiveBalanceGwei
  const whole = balanceGwei - (balanceGwei % EFFECTIVE_BALANCE_INCREMENT_GWEI)
  const max = MAX_EFFECTIVE_BALANCE_GWEI[kind]
  return whole < max ? whole : max
}

/** Percent a year without compounding: what a perfect validator earns on the consensus layer with average luck. */
export function idealConsensusAprPercent(totalActiveBalanceGwei: bigint, secondsPerEpoch = SECONDS_PER_EPOCH): string {
  const earnedGwei = baseRewardPerIncrementGwei(totalActiveBalanceGwei)
  return aprPercent(earnedGwei, EFFECTIVE_BALANCE_INCREMENT_GWEI * BigInt(secondsPerEpoch))
}

/**
 * Percent a year without compounding, of an amount earned on a stake. The stake is effective balance times seconds, in the unit of the
 * amount. Four decimals, rounded towards zero; 0 for no stake.
 */
export function aprPercent(earned: bigint, stakeSeconds: bigint): string {
  if (stakeSeconds < 0n) throw new RangeError('A stake cannot be negative.')
  const scaled = stakeSeconds === 0n ? 0n : (earned * SECONDS_PER_YEAR * 100n * 10n ** BigInt(APR_PLACES)) / stakeSeconds
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(APR_PLACES + 1, '0')
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -APR_PLACES)}.${digits.slice(-APR_PLACES)}`
}

/** The largest integer whose square is at most this one. */
export function integerSquareRoot(value: bigint): bigint {
  if (value < 0n) throw new RangeError('A negative number has no square root.')
  if (value === 0n) return 0n
  // Newton's method from above: it decreases until it has converged.
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
