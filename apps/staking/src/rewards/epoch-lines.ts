import { bookArrival, bookEpoch, type EpochFacts, isUnexplained, type LedgerLine } from './epoch-booking.js'
import type { Booking } from './ledger.js'
import type { Breakdown } from './reward-parts.js'

interface Balance {
  readonly balanceGwei: bigint
  readonly effectiveBalanceGwei: bigint
}

/** A validator at the beginning and the end of an epoch. */
export interface ValidatorEpoch {
  readonly serial: number
  readonly index: number
  readonly pubkey: Buffer
  readonly slashed: boolean
  readonly isActive: boolean
  readonly hadToAttest: boolean
  readonly closing: Balance
  /** Undefined if it was not on the chain. */
  readonly opening: Balance | undefined
}

interface EpochMovements {
  readonly withdrawnGwei: ReadonlyMap<number, bigint>
  readonly breakdown: Breakdown | undefined
}

/** The validators whose credited deposits must be looked up. */
export function unexplainedOf(epochs: readonly ValidatorEpoch[], movements: EpochMovements): ValidatorEpoch[] {
  return epochs.filter((epoch) => epoch.opening && isUnexplained(factsOf(epoch, epoch.opening, movements, 0n)))
}

/** The bookings of an epoch. `credited` is by public key, and may omit validators that are explained without it. */
export function bookingsOf(epochs: readonly ValidatorEpoch[], movements: EpochMovements, credited: ReadonlyMap<string, bigint>): Booking[] {
  return epochs.map((epoch) => ({
    serial: epoch.serial,
    line: lineOf(epoch, movements, credited),
    closing: { index: epoch.index, slashed: epoch.slashed, ...epoch.closing },
    stakeGwei: epoch.isActive ? (epoch.opening?.effectiveBalanceGwei ?? 0n) : 0n,
    duties: movements.breakdown?.dutiesOf(epoch.index, epoch.hadToAttest),
  }))
}

function lineOf(epoch: ValidatorEpoch, movements: EpochMovements, credited: ReadonlyMap<string, bigint>): LedgerLine {
  const { opening, closing, index, pubkey } = epoch
  const withdrawnGwei = movements.withdrawnGwei.get(index) ?? 0n
  if (!opening) return bookArrival({ closingGwei: closing.balanceGwei, withdrawnGwei })
  return bookEpoch(factsOf(epoch, opening, movements, credited.get(pubkey.toString('hex')) ?? 0n))
}

function factsOf(
  { index, slashed, closing }: ValidatorEpoch,
  opening: Balance,
  movements: EpochMovements,
  creditedGwei: bigint,
): EpochFacts {
  return {
    openingGwei: opening.balanceGwei,
    closingGwei: closing.balanceGwei,
    withdrawnGwei: movements.withdrawnGwei.get(index) ?? 0n,
    creditedGwei,
    slashed,
    parts: movements.breakdown?.partsOf(index),
  }
}
