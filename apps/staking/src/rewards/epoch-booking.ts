import { MIN_DEPOSIT_GWEI } from '@trestle/ethereum/deposit'

// What one validator gained and lost in an epoch, in gwei. The balances are the truth; the rewards endpoints say what a change consists of.

/** What is known about a validator in an epoch. */
export interface EpochFacts {
  /** In the state at the epoch's first slot, and at the first slot of the next one. */
  readonly openingGwei: bigint
  readonly closingGwei: bigint
  readonly withdrawnGwei: bigint
  /** Deposits, less what the chain has set aside to credit later. */
  readonly creditedGwei: bigint
  readonly slashed: boolean
  /** Undefined if no node has the breakdown. */
  readonly parts: RewardParts | undefined
}

/** The sums of positive and of negative rewards. */
export interface RewardParts {
  readonly gainedGwei: bigint
  readonly lostGwei: bigint
}

/** A booking: closing = opening - withdrawals + deposits + rewards - penalties + rounding. */
export interface LedgerLine {
  readonly withdrawalsGwei: bigint
  readonly depositsGwei: bigint
  readonly rewardsGwei: bigint
  readonly penaltiesGwei: bigint
  readonly roundingGwei: bigint
  readonly isUnbroken: boolean
}

/** More than this in an epoch is not rounding: some clients round where the specification truncates, up to 2 gwei an epoch. */
export const ROUNDING_GWEI = 4n

/** The booking of an epoch. What remains of the balance change stays visible as rounding, unless its cause is known. */
export function bookEpoch(facts: EpochFacts): LedgerLine {
  const { withdrawnGwei, creditedGwei, slashed, parts } = facts
  const rest = unexplainedGwei(facts)
  const line = {
    withdrawalsGwei: withdrawnGwei,
    depositsGwei: creditedGwei,
    rewardsGwei: parts?.gainedGwei ?? 0n,
    penaltiesGwei: parts?.lostGwei ?? 0n,
    roundingGwei: 0n,
    isUnbroken: parts === undefined,
  }
  // No endpoint reports the penalties for slashing.
  if (slashed && rest < 0n) return { ...line, penaltiesGwei: line.penaltiesGwei - rest }
  if (isPrincipal(rest)) return { ...line, depositsGwei: creditedGwei + rest }
  if (parts) return { ...line, roundingGwei: rest }
  return rest < 0n ? { ...line, penaltiesGwei: -rest } : { ...line, rewardsGwei: rest }
}

/** Whether more moved than the known facts explain. */
export function isUnexplained(facts: EpochFacts): boolean {
  const rest = unexplainedGwei(facts)
  if (facts.slashed && rest < 0n) return false
  return facts.parts ? magnitude(rest) > ROUNDING_GWEI : isPrincipal(rest)
}

/** A validator that the chain created in this epoch: its whole balance was deposited. */
export function bookArrival({ closingGwei, withdrawnGwei }: Pick<EpochFacts, 'closingGwei' | 'withdrawnGwei'>): LedgerLine {
  return {
    withdrawalsGwei: withdrawnGwei,
    depositsGwei: closingGwei + withdrawnGwei,
    rewardsGwei: 0n,
    penaltiesGwei: 0n,
    roundingGwei: 0n,
    isUnbroken: false,
  }
}

function unexplainedGwei({ openingGwei, closingGwei, withdrawnGwei, creditedGwei, parts }: EpochFacts): bigint {
  const net = closingGwei - openingGwei + withdrawnGwei - creditedGwei
  return parts ? net - parts.gainedGwei + parts.lostGwei : net
}

/** No epoch earns as much: principal has moved, for example by a consolidation (EIP-7251). */
function isPrincipal(gwei: bigint): boolean {
  return magnitude(gwei) >= MIN_DEPOSIT_GWEI
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
