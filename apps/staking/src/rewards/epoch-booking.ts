// What an epoch was to one validator, in gwei. The balances say how much (this is the truth), the rewards endpoints say of what.

/** What is known of a validator and an epoch. */
export interface EpochFacts {
  /** Of the state at the epoch's first slot, and at the next one's. */
  readonly openingGwei: bigint
  readonly closingGwei: bigint
  readonly withdrawnGwei: bigint
  /** What came from its owner, less what the chain set aside to give back later. */
  readonly creditedGwei: bigint
  readonly slashed: boolean
  /** Left out where no node could tell. */
  readonly parts: RewardParts | undefined
}

/** The positive and the negative rewards that the chain gave. */
export interface RewardParts {
  readonly gainedGwei: bigint
  readonly lostGwei: bigint
}

/** A line of the ledger: closing = opening - withdrawals + deposits + rewards - penalties + rounding. */
export interface LedgerLine {
  readonly withdrawalsGwei: bigint
  readonly depositsGwei: bigint
  readonly rewardsGwei: bigint
  readonly penaltiesGwei: bigint
  readonly roundingGwei: bigint
  readonly isUnbroken: boolean
}

/** More than this an epoch is no rounding: some clients round where the specification cuts off, by 2 gwei an epoch. */
export const ROUNDING_GWEI = 4n

// The smallest deposit. As much is never earned in an epoch: principal has moved, as by a consolidation (EIP-7251).
const PRINCIPAL_GWEI = 1_000_000_000n

/** The line of the ledger. What is left over of the difference in balance stays visible as rounding, unless it is known for what it is. */
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
  // No endpoint tells of the penalties for being slashed.
  if (slashed && rest < 0n) return { ...line, penaltiesGwei: line.penaltiesGwei - rest }
  if (isPrincipal(rest)) return { ...line, depositsGwei: creditedGwei + rest }
  if (parts) return { ...line, roundingGwei: rest }
  return rest < 0n ? { ...line, penaltiesGwei: -rest } : { ...line, rewardsGwei: rest }
}

/** Whether more was paid in or out than what is known explains. */
export function isUnexplained(facts: EpochFacts): boolean {
  const rest = unexplainedGwei(facts)
  if (facts.slashed && rest < 0n) return false
  return facts.parts ? magnitude(rest) > ROUNDING_GWEI : isPrincipal(rest)
}

/** A validator that came onto the chain in this epoch: all it has was deposited. */
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

function isPrincipal(gwei: bigint): boolean {
  return magnitude(gwei) >= PRINCIPAL_GWEI
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
