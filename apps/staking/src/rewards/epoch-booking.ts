// What one validator gained and lost in an epoch, in gwei. The balances are the truth; the rewards endpoints say what a change consists of, and
// withdrawals, queues and deposits what of it is principal. Nothing is guessed.

/** What is known about a validator in an epoch. */
export interface EpochFacts {
  /** In the state at the epoch's first slot, and at the first slot of the next one. */
  readonly openingGwei: bigint
  readonly closingGwei: bigint
  readonly withdrawnGwei: bigint
  /** Deposits, less what the chain has set aside to credit later, and consolidations. Undefined if no node shows them all. */
  readonly principalGwei: bigint | undefined
  /** What was at stake. */
  readonly effectiveGwei: bigint
  readonly slashed: boolean
  /** Nothing has become final for long, and who does not attest loses more and more: some clients report less of it than the chain takes. */
  readonly isLeaking: boolean
  /** Undefined if no node has the breakdown. */
  readonly parts: RewardParts | undefined
}

/** The sums of positive and of negative rewards. */
export interface RewardParts {
  readonly gainedGwei: bigint
  readonly lostGwei: bigint
}

/** A booking: closing = opening - withdrawals + deposits + rewards - penalties + rounding + unexplained. */
export interface LedgerLine {
  readonly withdrawalsGwei: bigint
  readonly depositsGwei: bigint
  readonly rewardsGwei: bigint
  readonly penaltiesGwei: bigint
  readonly roundingGwei: bigint
  /** Neither a reward nor a penalty as far as anybody knows: in no bill. */
  readonly unexplainedGwei: bigint
  readonly isUnbroken: boolean
}

/** More than this in an epoch is not rounding: some clients round where the specification truncates, up to 2 gwei an epoch. */
const ROUNDING_GWEI = 4n

// Without a breakdown, what remains when all principal is known was earned or lost. An epoch earns some millionths of the stake, a block a
// thousandth at the most.
const MAX_EARNED_PART = 256n

/** The booking of an epoch. What remains of the balance change is shown for what it is. */
export function bookEpoch(facts: EpochFacts): LedgerLine {
  const { withdrawnGwei, principalGwei, parts } = facts
  const rest = remainderOf(facts)
  const line = {
    withdrawalsGwei: withdrawnGwei,
    depositsGwei: principalGwei ?? 0n,
    rewardsGwei: parts?.gainedGwei ?? 0n,
    penaltiesGwei: parts?.lostGwei ?? 0n,
    roundingGwei: 0n,
    unexplainedGwei: 0n,
    isUnbroken: parts === undefined,
  }
  if (parts && magnitude(rest) <= ROUNDING_GWEI) return { ...line, roundingGwei: rest }
  const uncharged = unchargedGwei(facts, rest)
  if (uncharged > 0n) return { ...line, penaltiesGwei: line.penaltiesGwei - uncharged, roundingGwei: rest - uncharged }
  if (!isExplained(facts, rest)) return { ...line, unexplainedGwei: rest }
  return rest < 0n ? { ...line, penaltiesGwei: line.penaltiesGwei - rest } : { ...line, rewardsGwei: rest }
}

/** Whether what remains can be nothing but a reward or a penalty. */
function isExplained({ principalGwei, slashed, parts, isLeaking, effectiveGwei }: EpochFacts, rest: bigint): boolean {
  if (principalGwei === undefined) return false
  // No endpoint reports the penalties for slashing.
  if (slashed && rest < 0n) return true
  return (!parts || (isLeaking && rest < 0n)) && magnitude(rest) <= effectiveGwei / MAX_EARNED_PART
}

/** Whether its principal must be looked up: its rewards do not explain what its balance shows. */
export function needsPrincipal({ parts, ...facts }: Omit<EpochFacts, 'principalGwei' | 'isLeaking'>): boolean {
  return parts === undefined || magnitude(remainderOf({ ...facts, parts, principalGwei: 0n })) > ROUNDING_GWEI
}

/** A validator that the chain created in this epoch: its whole balance was deposited. */
export function bookArrival({ closingGwei, withdrawnGwei }: Pick<EpochFacts, 'closingGwei' | 'withdrawnGwei'>): LedgerLine {
  return {
    withdrawalsGwei: withdrawnGwei,
    depositsGwei: closingGwei + withdrawnGwei,
    rewardsGwei: 0n,
    penaltiesGwei: 0n,
    roundingGwei: 0n,
    unexplainedGwei: 0n,
    isUnbroken: false,
  }
}

/** A balance is never negative (consensus-specs, decrease_balance): of penalties that exceed it, the rest is not charged. */
function unchargedGwei({ openingGwei, withdrawnGwei, principalGwei, parts }: EpochFacts, rest: bigint): bigint {
  if (!parts || principalGwei === undefined) return 0n
  const available = openingGwei + principalGwei + parts.gainedGwei - withdrawnGwei
  if (parts.lostGwei <= available || rest <= 0n || rest > parts.lostGwei + ROUNDING_GWEI) return 0n
  return rest < parts.lostGwei ? rest : parts.lostGwei
}

function remainderOf({ openingGwei, closingGwei, withdrawnGwei, principalGwei = 0n, parts }: Omit<EpochFacts, 'isLeaking'>): bigint {
  const net = closingGwei - openingGwei + withdrawnGwei - principalGwei
  return parts ? net - parts.gainedGwei + parts.lostGwei : net
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
